import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { ruleRefusalCode } from '../../../wire/director/refusal-code.js';
import type { Explanation } from '../../../wire/management/explain.js';
import type { RefusalBody } from '../../../wire/management/refusal.js';
import { DashboardPage } from '../dashboard-page.js';
import { confirmation } from '../dialog-contents.js';
import { pageButtons } from '../page-buttons.js';
import { explanationView } from './explanation-view.js';
import type { RefusalsMessages } from './messages/refusals-messages.js';
import { originCure, type OriginCure } from './origin-cure.js';
import { refusalGroup, refusalRow } from './refusal-rows.js';
import { RefusalsState, type RefusalFilter, type RefusalPage } from './refusals-state.js';

type RefusalDialog = ExplainedDialog | { readonly name: 'allow'; readonly cure: OriginCure };

interface ExplainedDialog {
  readonly name: 'explained';
  readonly refusal: RefusalBody;
  readonly explanation: Explanation;
}

/** The requests that were refused, each with its reason and an explanation. */
export class RefusalsPage extends DashboardPage<RefusalsMessages, RefusalPage, RefusalDialog> {
  @state() private isFiltered = false;
  #state!: RefusalsState;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new RefusalsState(this.client, (view) => this.show(view));
    void this.#state.load();
  }

  protected override render(): TemplateResult {
    const { messages } = this;
    return html`
      <h1 tabindex="-1">${messages.refusals}</h1>
      <p class="soft">${messages.purpose}</p>
      ${this.#filters()} ${this.outcome()}
      ${this.whenReady(
        (page) => this.#list(page),
        () => void this.#state.load(),
      )}
      ${this.dialog.render((dialog) => this.#dialogContent(dialog))}
    `;
  }

  #filters(): TemplateResult {
    const { messages } = this;
    return html`
      <form class="card filters" role="search" @submit=${this.#select}>
        <label
          >${messages.reason}
          <select name="reason">
            <option value="">${messages.everyReason}</option>
            ${ruleRefusalCode.options.map((code) => html`<option value=${code}>${messages.reasons[code]}</option>`)}
          </select>
        </label>
        <label
          >${messages.streamName}
          <input name="streamName" maxlength="128" autocomplete="off" spellcheck="false" dir="auto" />
        </label>
        <button>${messages.show}</button>
      </form>
    `;
  }

  #list(page: RefusalPage): TemplateResult {
    const { messages, common, language, texts } = this;
    const { isBusy } = this.changes;
    return html`
      ${this.#groups(page)}
      <section class="card" aria-label=${messages.refusals}>
        ${
          page.refusals.length === 0
            ? html`<p class="soft">${this.isFiltered ? messages.noneFound : messages.none}</p>`
            : html`<ul>
                ${page.refusals.map((refusal) =>
                  refusalRow(refusal, { isBusy, onExplain: () => this.#explain(refusal) }, texts),
                )}
              </ul>`
        }
        ${pageButtons(page, { messages: common, language }, (turned) => void this.#state.load(turned))}
        ${
          page.refusals.length === 0
            ? nothing
            : html`<div class="actions">
                ${this.csvButton(messages.refusals, 'refusals.csv', () => this.#state.csv())}
              </div>`
        }
        ${
          page.dropped > 0
            ? html`<p class="error">${messages.dropped(page.dropped.toLocaleString(language))}</p>`
            : nothing
        }
      </section>
    `;
  }

  #groups({ groups, filter: { tokenId } }: RefusalPage): TemplateResult | typeof nothing {
    const { messages, texts } = this;
    if (groups.length === 0 && tokenId === undefined) return nothing;
    return html`
      <section class="card" aria-labelledby="groups">
        <h2 id="groups">${messages.together}</h2>
        <ul>
          ${groups.map((group) =>
            refusalGroup(
              group,
              {
                onShow: (filter) => this.#showOnly(filter),
                onAllow: (cure) => void this.dialog.open({ name: 'allow', cure }),
              },
              texts,
            ),
          )}
        </ul>
        ${
          tokenId === undefined
            ? nothing
            : html`<div class="actions">
                <button @click=${() => this.#showOnly({ reason: '', streamName: '' })}>${messages.showAll}</button>
              </div>`
        }
      </section>
    `;
  }

  #dialogContent(dialog: RefusalDialog): TemplateResult {
    const { messages, common, changes } = this;
    if (dialog.name === 'explained') return this.#explanation(dialog);
    const { cure } = dialog;
    return confirmation(
      {
        title: `${messages.allowOrigin(cure.host)}?`,
        effect: messages.allowEffect(String(cure.tokenId), cure.host),
        action: messages.allowOrigin(cure.host),
      },
      { changes, common, onConfirm: () => this.#allow(cure) },
    );
  }

  #explanation({ refusal, explanation }: ExplainedDialog): TemplateResult {
    const { messages, common, changes } = this;
    const cure = originCure(refusal);
    return html`
      <h2 id="dialog">${messages.explanation}</h2>
      <p>${explanation.allowed ? messages.nowAllowed : messages.stillRefused}</p>
      ${explanationView(explanation, messages)}
      ${
        cure && !explanation.allowed
          ? html`<p class="soft">${messages.allowEffect(String(cure.tokenId), cure.host)}</p>`
          : nothing
      }
      ${changes.alert()}
      <div class="actions">
        ${
          cure && !explanation.allowed
            ? html`<button ?disabled=${changes.isBusy} @click=${() => this.#allow(cure)}>
                ${messages.allowOrigin(cure.host)}
              </button>`
            : nothing
        }
        <form method="dialog"><button class="primary" autofocus>${common.done}</button></form>
      </div>
    `;
  }

  /** Other fields than those of the form select the refusals. */
  #showOnly(filter: RefusalFilter): void {
    this.renderRoot.querySelector('form')?.reset();
    this.isFiltered = filter.tokenId !== undefined;
    void this.#state.select(filter);
  }

  #select(event: SubmitEvent): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const reason = ruleRefusalCode.safeParse(form.get('reason'));
    const streamName = String(form.get('streamName')).trim();
    this.isFiltered = reason.success || streamName !== '';
    void this.#state.select({ reason: reason.success ? reason.data : '', streamName });
  }

  #explain(refusal: RefusalBody): void {
    this.changes.attempt(async () => {
      this.dialog.open({ name: 'explained', refusal, explanation: await this.#state.explain(refusal) });
    });
  }

  #allow(cure: OriginCure): void {
    this.changes.attempt(async () => {
      await this.#state.allowOrigin(cure);
      this.dialog.close();
      return this.messages.originAllowed(String(cure.tokenId), cure.host);
    });
  }
}

customElements.define('refusals-page', RefusalsPage);

declare global {
  interface HTMLElementTagNameMap {
    'refusals-page': RefusalsPage;
  }
}

import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { ruleRefusalCode } from '../../../wire/director/refusal-code.js';
import type { Explanation } from '../../../wire/management/explain.js';
import type { RefusalBody } from '../../../wire/management/refusal.js';
import { DashboardPage } from '../dashboard-page.js';
import type { Told } from '../page-changes.js';
import { pageButtons } from '../page-buttons.js';
import { pageNumber } from '../page-query.js';
import { cureDialog, type CureQuestion } from './cure-dialog.js';
import { tokenPath } from '../token-path.js';
import { tokenWord } from '../token-word.js';
import { explanationView } from './explanation-view.js';
import type { RefusalsMessages } from './messages/refusals-messages.js';
import { cureOf, type Cure } from './refusal-cure.js';
import { cureButton, refusalGroup, refusalRow } from './refusal-rows.js';
import { refusalFilterOf, refusalQueryOf } from './refusal-query.js';
import { RefusalsState, type RefusalFilter, type RefusalPage } from './refusals-state.js';

type RefusalDialog = ExplainedDialog | CureQuestion;

interface ExplainedDialog {
  readonly name: 'explained';
  readonly refusal: RefusalBody;
  readonly explanation: Explanation;
}

/** The requests that were refused, each with its reason and an explanation. */
export class RefusalsPage extends DashboardPage<RefusalsMessages, RefusalPage, RefusalDialog> {
  @state() private filter: RefusalFilter = refusalFilterOf(new URLSearchParams());
  #state!: RefusalsState;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new RefusalsState(this.client, (view) => this.show(view));
    this.follow(this.query);
  }

  protected override follow(query: URLSearchParams): void {
    this.filter = refusalFilterOf(query);
    // What was entered and not asked for is for other refusals.
    void this.updateComplete.then(() => this.renderRoot.querySelector('form')?.reset());
    void this.#state.select(this.filter, pageNumber(query));
  }

  protected override render(): TemplateResult {
    const { messages, common } = this;
    return html`
      <h1 tabindex="-1">${common.pages.refusals}</h1>
      <p class="soft">${messages.purpose}</p>
      ${this.#filters()} ${this.outcome()}
      ${this.whenReady(
        (page) => this.#list(page),
        () => this.follow(this.query),
      )}
      ${this.dialog.render((dialog) => this.#dialogContent(dialog))}
    `;
  }

  /** With attributes, to which the form can be reset. */
  #filters(): TemplateResult {
    const { messages, filter } = this;
    return html`
      <form class="card filters" role="search" @submit=${this.#select}>
        <label
          >${messages.reason}
          <select name="reason">
            <option value="">${messages.everyReason}</option>
            ${ruleRefusalCode.options.map(
              (code) =>
                html`<option value=${code} ?selected=${code === filter.reason}>${messages.reasons[code]}</option>`,
            )}
          </select>
        </label>
        <label
          >${messages.streamName}
          <input
            name="streamName"
            value=${filter.streamName}
            maxlength="128"
            autocomplete="off"
            spellcheck="false"
            dir="auto"
          />
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
      <section class="card" aria-label=${common.pages.refusals}>
        ${
          page.refusals.length === 0
            ? html`<p class="soft">${this.#isFiltered ? messages.noneFound : messages.none}</p>`
            : html`<ul>
                ${page.refusals.map((refusal) =>
                  refusalRow(refusal, { isBusy, onCure: this.#onCure, onExplain: () => this.#explain(refusal) }, texts),
                )}
              </ul>`
        }
        ${pageButtons(page, { messages: common, language }, (turned) => this.turn(refusalQueryOf(this.filter, turned)))}
        ${
          page.refusals.length === 0
            ? nothing
            : html`<div class="actions">
                ${this.csvButton(common.pages.refusals, 'refusals.csv', () => this.#state.csv())}
              </div>`
        }
        ${
          page.dropped > 0
            ? html`<p class="error">${messages.dropped(page.dropped, page.dropped.toLocaleString(language))}</p>`
            : nothing
        }
      </section>
    `;
  }

  #groups({ groups, hasMoreGroups, page, filter: { tokenId } }: RefusalPage): TemplateResult | typeof nothing {
    const { messages, texts } = this;
    if (groups.length === 0 && tokenId === undefined) return nothing;
    const { isBusy } = this.changes;
    return html`
      <section class="card" aria-labelledby="groups">
        <h2 id="groups">${messages.together}</h2>
        <ul>
          ${groups.map((group) =>
            refusalGroup(group, { isBusy, onShow: (filter) => this.#showOnly(filter), onCure: this.#onCure }, texts),
          )}
        </ul>
        ${
          hasMoreGroups || tokenId !== undefined
            ? html`<div class="actions">
                ${
                  hasMoreGroups
                    ? html`<button @click=${() => void this.#state.showMoreGroups(page)}>
                        ${messages.moreGroups}
                      </button>`
                    : nothing
                }
                ${
                  tokenId === undefined
                    ? nothing
                    : html`<button @click=${() => this.#showOnly({ reason: '', streamName: '' })}>
                        ${messages.showAll}
                      </button>`
                }
              </div>`
            : nothing
        }
      </section>
    `;
  }

  #dialogContent(dialog: RefusalDialog): TemplateResult {
    const { changes, texts } = this;
    if (dialog.name === 'explained') return this.#explanation(dialog);
    return cureDialog(
      dialog,
      {
        changes,
        onChoose: (value) => this.dialog.replace(dialog, { ...dialog, cure: { ...dialog.cure, value } }),
        onConfirm: () => this.#cure(dialog.cure),
      },
      texts,
    );
  }

  #explanation({ refusal, explanation }: ExplainedDialog): TemplateResult {
    const { messages, common, changes, texts } = this;
    const present = { ...refusal, reason: explanation.reason ?? '' };
    return html`
      <h2 id="dialog">${messages.explanation}</h2>
      <p>${explanation.allowed ? this.#nowAllowed(refusal) : messages.stillRefused}</p>
      ${explanationView(explanation, messages)} ${changes.alert()}
      <div class="actions">
        ${cureButton(present, { isBusy: changes.isBusy, onCure: this.#onCure }, texts)}
        <form method="dialog"><button class="primary" autofocus>${common.done}</button></form>
      </div>
    `;
  }

  /** The log does not say whether a token was signed by the account's own server: such a token has limits of its own. */
  #nowAllowed(refusal: RefusalBody): string {
    const { messages } = this;
    const maySigned = refusal.kind === 'subscribe' && cureOf(refusal) !== undefined;
    return maySigned ? `${messages.nowAllowed} ${messages.signedLimits}` : messages.nowAllowed;
  }

  get #isFiltered(): boolean {
    const { reason, streamName, tokenId } = this.filter;
    return reason !== '' || streamName !== '' || tokenId !== undefined;
  }

  #showOnly(filter: RefusalFilter): void {
    this.turn(refusalQueryOf(filter));
  }

  #select(event: SubmitEvent): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const reason = ruleRefusalCode.safeParse(form.get('reason'));
    const streamName = String(form.get('streamName')).trim();
    this.#showOnly({ reason: reason.success ? reason.data : '', streamName });
  }

  #explain(refusal: RefusalBody): void {
    this.changes.attempt(async () => {
      this.dialog.open({ name: 'explained', refusal, explanation: await this.#state.explain(refusal) });
    });
  }

  /** Undefined: the person may not change tokens. */
  get #onCure(): ((cure: Cure) => void) | undefined {
    return this.may('tokens') ? this.#askToCure : undefined;
  }

  readonly #askToCure = (cure: Cure): void => {
    this.changes.attempt(async () => {
      const values = await this.#state.valuesFor(cure);
      this.dialog.open({ name: 'cure', cure: { ...cure, value: cure.value ?? values[0] }, values });
    });
  };

  #cure(cure: Cure): void {
    this.changes.attempt(async () => {
      const outcome = await this.#state.cure(cure);
      this.dialog.close();
      return this.#told(cure, outcome);
    });
  }

  #told(cure: Cure, outcome: 'change' | 'already' | 'in-range'): Told {
    const { messages, common } = this;
    const token = messages.token(tokenWord(cure, common));
    const path = tokenPath({ kind: cure.kind, id: cure.tokenId }, location.search);
    const edit = html`<a href=${path}>${messages.editToken(token)}</a>`;
    switch (outcome) {
      case 'change':
        return html`${messages.cured(token)} ${edit}`;
      case 'already':
        return html`${messages.curedAlready(token)} ${messages.signedLimits} ${edit}`;
      case 'in-range':
        return html`${messages.inRange(token)} ${edit}`;
    }
  }
}

customElements.define('refusals-page', RefusalsPage);

declare global {
  interface HTMLElementTagNameMap {
    'refusals-page': RefusalsPage;
  }
}

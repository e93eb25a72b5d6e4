import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { ruleRefusalCode } from '../../../wire/director/refusal-code.js';
import type { Explanation } from '../../../wire/management/explain.js';
import type { RefusalBody, RefusalGroupBody } from '../../../wire/management/refusal.js';
import { DashboardPage } from '../dashboard-page.js';
import { pageButtons } from '../page-buttons.js';
import { unreadyContent } from '../page-view.js';
import { explanationView } from './explanation-view.js';
import type { RefusalsMessages } from './messages/refusals-messages.js';
import { originCure, type OriginCure } from './origin-cure.js';
import { RefusalsState, type RefusalFilter, type RefusalPage } from './refusals-state.js';

/** What a dialog shows. */
type Dialog =
  | { readonly name: 'explained'; readonly refusal: RefusalBody; readonly explanation: Explanation }
  | { readonly name: 'allow'; readonly cure: OriginCure };

/** The requests that were refused, each with its reason and an explanation. */
export class RefusalsPage extends DashboardPage<RefusalsMessages, RefusalPage> {
  @state() private dialog: Dialog | undefined;
  @state() private isFiltered = false;
  /** What a change has done, for the person and for screen readers. */
  @state() private done = '';
  #state: RefusalsState | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new RefusalsState(this.client, (view) => this.show(view));
    void this.#state.load();
  }

  protected override render(): TemplateResult {
    const { messages, view } = this;
    return html`
      <h1 tabindex="-1">${messages.refusals}</h1>
      <p class="soft">${messages.purpose}</p>
      ${this.#filters()}
      ${view.name === 'ready' ? this.#list(view) : unreadyContent(view, this.common, () => void this.#state?.load())}
      <p role="status" class=${this.done ? 'card is-on' : 'visually-hidden'}>${this.done}</p>
      ${this.fault && !this.dialog ? html`<p class="card error" role="alert">${this.fault}</p>` : nothing}
      ${this.dialog ? this.#dialogBox(this.dialog) : nothing}
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
    const { messages, common, language } = this;
    return html`
      ${this.#groups(page)}
      <section class="card" aria-label=${messages.refusals}>
        ${
          page.refusals.length === 0
            ? html`<p class="soft">${this.isFiltered ? messages.noneFound : messages.none}</p>`
            : html`<ul>
                ${page.refusals.map((refusal) => this.#row(refusal))}
              </ul>`
        }
        ${pageButtons(page, { messages: common, language }, (turned) => void this.#state?.load(turned))}
        ${
          page.refusals.length === 0
            ? nothing
            : html`<div class="actions">
                ${this.csvButton(messages.refusals, 'refusals.csv', () => this.#state!.csv())}
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
    const { messages } = this;
    if (groups.length === 0 && tokenId === undefined) return nothing;
    return html`
      <section class="card" aria-labelledby="groups">
        <h2 id="groups">${messages.together}</h2>
        <ul>
          ${groups.map((group) => this.#group(group))}
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

  #group(group: RefusalGroupBody): TemplateResult {
    const { messages, language } = this;
    const { kind, reason, tokenId, origin, refusals, firstOn, lastOn } = group;
    const sentences: Readonly<Record<string, string>> = messages.reasons;
    const sentence = sentences[reason] ?? reason;
    const token = tokenId === null ? messages.noToken : messages.token(String(tokenId));
    const cure = originCure(group);
    const known = ruleRefusalCode.safeParse(reason);
    return html`
      <li>
        <div>
          <h3>${sentence}</h3>
          <p class="facts soft">
            <strong>${messages.count(refusals.toLocaleString(language))}</strong>
            <span>${kind === 'publish' ? messages.toPublish : messages.toWatch}</span>
            <span>${token}</span>
            ${origin ? html`<span dir="ltr">${origin}</span>` : nothing}
            <span>${messages.between(this.#time(firstOn), this.#time(lastOn))}</span>
          </p>
        </div>
        <div class="actions">
          ${
            known.success && tokenId !== null
              ? html`<button
                  aria-label=${messages.showThese(sentence, token)}
                  @click=${() => this.#showOnly({ reason: known.data, streamName: '', tokenId })}
                >
                  ${messages.show}
                </button>`
              : nothing
          }
          ${
            cure
              ? html`<button @click=${() => (this.dialog = { name: 'allow', cure })}>
                  ${messages.allowOrigin(cure.host)}
                </button>`
              : nothing
          }
        </div>
      </li>
    `;
  }

  #row(refusal: RefusalBody): TemplateResult {
    const { messages } = this;
    const sentences: Readonly<Record<string, string>> = messages.reasons;
    const time = this.#time(refusal.time);
    return html`
      <li>
        <div>
          <h2 class="entry"><bdi>${refusal.streamName}</bdi></h2>
          <p>${sentences[refusal.reason] ?? refusal.reason}</p>
          <p class="facts soft">
            <time datetime=${refusal.time}>${time}</time>
            <span>${refusal.kind === 'publish' ? messages.toPublish : messages.toWatch}</span>
            <span>${refusal.tokenId === null ? messages.noToken : messages.token(String(refusal.tokenId))}</span>
            ${refusal.origin ? html`<span dir="ltr">${refusal.origin}</span>` : nothing}
            ${refusal.address ? html`<span dir="ltr">${refusal.address}</span>` : nothing}
            ${refusal.namedAccount ? html`<span>${messages.unknownAccount(refusal.namedAccount)}</span>` : nothing}
          </p>
        </div>
        <div class="actions">
          <button
            ?disabled=${this.isBusy}
            aria-label=${messages.explainThis(refusal.streamName, time)}
            @click=${() => this.#explain(refusal)}
          >
            ${messages.explain}
          </button>
        </div>
      </li>
    `;
  }

  #dialogBox(dialog: Dialog): TemplateResult {
    return html`
      <dialog aria-labelledby="dialog" @close=${() => (this.dialog = undefined)}>
        ${dialog.name === 'allow' ? this.#question(dialog.cure) : this.#explanation(dialog)}
      </dialog>
    `;
  }

  #question(cure: OriginCure): TemplateResult {
    const { messages, common } = this;
    return html`
      <h2 id="dialog">${messages.allowOrigin(cure.host)}?</h2>
      <p class="soft">${messages.allowEffect(String(cure.tokenId), cure.host)}</p>
      ${this.fault ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}
      <div class="actions">
        <form method="dialog"><button autofocus>${common.cancel}</button></form>
        <button class="primary" ?disabled=${this.isBusy} @click=${() => this.#allow(cure)}>
          ${messages.allowOrigin(cure.host)}
        </button>
      </div>
    `;
  }

  #explanation({ refusal, explanation }: Extract<Dialog, { name: 'explained' }>): TemplateResult {
    const { messages, common } = this;
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
      ${this.fault ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}
      <div class="actions">
        ${
          cure && !explanation.allowed
            ? html`<button ?disabled=${this.isBusy} @click=${() => this.#allow(cure)}>
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
    void this.#state?.select(filter);
  }

  #select(event: SubmitEvent): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const reason = ruleRefusalCode.safeParse(form.get('reason'));
    const streamName = String(form.get('streamName')).trim();
    this.isFiltered = reason.success || streamName !== '';
    void this.#state?.select({ reason: reason.success ? reason.data : '', streamName });
  }

  #explain(refusal: RefusalBody): void {
    this.done = '';
    this.attempt(async () => {
      this.dialog = { name: 'explained', refusal, explanation: await this.#state!.explain(refusal) };
    });
  }

  #allow(cure: OriginCure): void {
    this.attempt(async () => {
      await this.#state!.allowOrigin(cure);
      this.dialog = undefined;
      this.done = this.messages.originAllowed(String(cure.tokenId), cure.host);
    });
  }

  #time(date: string): string {
    return new Date(date).toLocaleString(this.language, { dateStyle: 'medium', timeStyle: 'medium' });
  }
}

customElements.define('refusals-page', RefusalsPage);

declare global {
  interface HTMLElementTagNameMap {
    'refusals-page': RefusalsPage;
  }
}

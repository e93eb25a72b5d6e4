import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { ruleRefusalCode } from '../../../wire/director/refusal-code.js';
import type { Explanation } from '../../../wire/management/explain.js';
import type { RefusalBody } from '../../../wire/management/refusal.js';
import { DashboardPage } from '../dashboard-page.js';
import { pageButtons } from '../page-buttons.js';
import { unreadyContent } from '../page-view.js';
import { explanationView } from './explanation-view.js';
import type { RefusalsMessages } from './messages/refusals-messages.js';
import { originCure, type OriginCure } from './origin-cure.js';
import { RefusalsState, type RefusalPage } from './refusals-state.js';

interface Explained {
  readonly refusal: RefusalBody;
  readonly explanation: Explanation;
}

/** The requests that were refused, each with its reason and an explanation. */
export class RefusalsPage extends DashboardPage<RefusalsMessages, RefusalPage> {
  @state() private explained: Explained | undefined;
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
      ${this.fault && !this.explained ? html`<p class="card error" role="alert">${this.fault}</p>` : nothing}
      ${this.explained ? this.#explanation(this.explained) : nothing}
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
          page.dropped > 0
            ? html`<p class="error">${messages.dropped(page.dropped.toLocaleString(language))}</p>`
            : nothing
        }
      </section>
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

  #explanation({ refusal, explanation }: Explained): TemplateResult {
    const { messages, common } = this;
    const cure = originCure(refusal);
    return html`
      <dialog aria-labelledby="dialog" @close=${() => (this.explained = undefined)}>
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
      </dialog>
    `;
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
      this.explained = { refusal, explanation: await this.#state!.explain(refusal) };
    });
  }

  #allow(cure: OriginCure): void {
    this.attempt(async () => {
      await this.#state!.allowOrigin(cure);
      this.explained = undefined;
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

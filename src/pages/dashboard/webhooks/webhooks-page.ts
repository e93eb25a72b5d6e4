import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import '../../copy-field.js';
import type { WebhookBody } from '../../../wire/management/webhook.js';
import { webhookEventType, type WebhookEventType } from '../../../wire/webhook-event.js';
import { DashboardPage } from '../dashboard-page.js';
import { unreadyContent } from '../page-view.js';
import { deliveryLog } from './delivery-log.js';
import type { WebhooksMessages } from './messages/webhooks-messages.js';
import { WebhooksState, type WebhookDraft, type WebhooksContent } from './webhooks-state.js';

type Dialog =
  | { readonly name: 'edit'; readonly draft: WebhookDraft; readonly isChecked: boolean }
  | { readonly name: 'key' | 'remove'; readonly webhook: WebhookBody };

/** The webhooks of the account, their keys, and what was sent to them. */
export class WebhooksPage extends DashboardPage<WebhooksMessages, WebhooksContent> {
  @state() private dialog: Dialog | undefined;
  /** What the last change did. */
  @state() private done = '';
  #state: WebhooksState | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new WebhooksState(this.client, (view) => this.show(view));
    void this.#state.load();
  }

  protected override render(): TemplateResult {
    const { messages, view, dialog } = this;
    return html`
      <h1 tabindex="-1">${messages.webhooks}</h1>
      <p class="soft">${messages.purpose}</p>
      ${this.fault && !dialog ? html`<p class="card error" role="alert">${this.fault}</p>` : nothing}
      <p role="status" class=${this.done ? 'card is-on' : 'visually-hidden'}><bdi>${this.done}</bdi></p>
      ${view.name === 'ready' ? this.#content(view) : unreadyContent(view, this.common, () => void this.#state?.load())}
      ${
        dialog
          ? html`<dialog aria-labelledby="dialog" @close=${() => this.#open(undefined)}>
              ${dialog.name === 'edit' ? this.#form(dialog) : this.#question(dialog)}
            </dialog>`
          : nothing
      }
    `;
  }

  #content({ webhooks, log }: WebhooksContent): TemplateResult {
    const { messages, common, language, isBusy } = this;
    if (log) {
      return deliveryLog(log, {
        messages,
        common,
        language,
        isBusy,
        onBack: () => void this.#state?.showLog(undefined),
        onPage: (page) => void this.#state?.showLog(log.webhook.id, page),
        onReplay: (delivery) => this.attempt(() => this.#state!.replay(log, delivery)),
      });
    }
    const draft: WebhookDraft = { id: undefined, url: '', description: '', events: webhookEventType.options };
    return html`
      <div class="actions">
        <button class="primary" @click=${() => this.#open({ name: 'edit', draft, isChecked: false })}>
          ${messages.newWebhook}
        </button>
      </div>
      <section class="card" aria-label=${messages.webhooks}>
        ${
          webhooks.length === 0
            ? html`<p class="soft">${messages.none}</p>`
            : html`<ul>
                ${repeat(
                  webhooks,
                  ({ id }) => id,
                  (webhook) => this.#row(webhook),
                )}
              </ul>`
        }
      </section>
    `;
  }

  #row(webhook: WebhookBody): TemplateResult {
    const { messages } = this;
    const { id, url, description, isActive, disabled } = webhook;
    const stateText = isActive ? messages.active : disabled?.reason === 'gone' ? messages.gone : messages.disabled;
    const button = (name: string, act: () => void, style = '') => html`
      <button class=${style} ?disabled=${this.isBusy} aria-label=${messages.actionOf(name, url)} @click=${act}>
        ${name}
      </button>
    `;
    const change = (act: () => Promise<void>) => () => this.attempt(act);
    return html`
      <li class="stacked">
        <div>
          <h2><bdi dir="ltr">${url}</bdi></h2>
          <p class="facts soft">
            <span class=${isActive ? 'is-on' : ''}>${stateText}</span>
            ${description ? html`<bdi>${description}</bdi>` : nothing}
            ${knownEvents(webhook).map((type) => html`<span>${messages.eventNames[type]}</span>`)}
          </p>
        </div>
        <div class="actions">
          ${button(messages.log, () => void this.#state?.showLog(id))}
          ${
            isActive
              ? button(
                  messages.test,
                  change(() => this.#state!.test(id)),
                )
              : nothing
          }
          ${button(messages.key, () => this.#open({ name: 'key', webhook }))}
          ${button(messages.edit, () =>
            this.#open({
              name: 'edit',
              draft: { id, url, description, events: knownEvents(webhook) },
              isChecked: false,
            }),
          )}
          ${button(
            isActive ? messages.disable : messages.enable,
            change(() => this.#state!.setActive(id, !isActive)),
          )}
          ${button(messages.remove, () => this.#open({ name: 'remove', webhook }), 'danger')}
        </div>
      </li>
    `;
  }

  #form(dialog: Extract<Dialog, { name: 'edit' }>): TemplateResult {
    const { messages, common } = this;
    const { draft } = dialog;
    const isWrong = dialog.isChecked && !isUrl(draft.url);
    const set = (change: Partial<WebhookDraft>): void => {
      this.dialog = { ...dialog, draft: { ...draft, ...change } };
    };
    return html`
      <h2 id="dialog">${draft.id === undefined ? messages.newWebhook : messages.edit}</h2>
      <form class="fields" novalidate @submit=${this.#submit}>
        <div class="field">
          <label
            >${messages.url}
            <input
              name="url"
              type="url"
              dir="ltr"
              maxlength="2048"
              autocomplete="off"
              placeholder="https://example.com/hooks"
              .value=${draft.url}
              aria-invalid=${isWrong ? 'true' : 'false'}
              aria-describedby="fault-url"
              @input=${(event: Event) => set({ url: valueOf(event) })}
            />
          </label>
          <p class="error" id="fault-url" aria-live="polite">
            ${isWrong ? html`<span>${messages.urlMissing}</span>` : nothing}
          </p>
        </div>
        <div class="field">
          <label
            >${messages.description}
            <input
              name="description"
              dir="auto"
              maxlength="128"
              autocomplete="off"
              .value=${draft.description}
              @input=${(event: Event) => set({ description: valueOf(event) })}
            />
          </label>
        </div>
        <fieldset>
          <legend>${messages.events}</legend>
          ${webhookEventType.options.map(
            (type) =>
              html`<label class="choice"
                ><input
                  type="checkbox"
                  .checked=${draft.events.includes(type)}
                  @change=${() => set({ events: toggled(draft.events, type) })}
                />${messages.eventNames[type]}</label
              >`,
          )}
        </fieldset>
        ${this.fault ? html`<p class="error" role="alert">${this.fault}</p>` : nothing}
        <div class="actions">
          <button type="button" @click=${() => this.#open(undefined)}>${common.cancel}</button>
          <button class="primary" ?disabled=${this.isBusy}>
            ${draft.id === undefined ? messages.create : messages.save}
          </button>
        </div>
      </form>
    `;
  }

  #question({ name, webhook }: Extract<Dialog, { webhook: WebhookBody }>): TemplateResult {
    const { messages, common, language } = this;
    const { id, url, signingKey, oldKeyExpiresOn } = webhook;
    const isOldValid = oldKeyExpiresOn !== null && Date.parse(oldKeyExpiresOn) > Date.now();
    const fault = this.fault ? html`<p class="error" role="alert">${this.fault}</p>` : nothing;
    if (name === 'remove') {
      const remove = async (): Promise<void> => {
        await this.#state!.remove(id);
        this.#open(undefined, messages.removed(url));
      };
      return html`
        <h2 id="dialog" dir="auto">${messages.actionOf(messages.remove, url)}</h2>
        <p class="soft">${messages.removeEffect}</p>
        ${fault}
        <div class="actions">
          <button @click=${() => this.#open(undefined)}>${common.cancel}</button>
          <button class="danger" ?disabled=${this.isBusy} @click=${() => this.attempt(remove)}>
            ${messages.remove}
          </button>
        </div>
      `;
    }
    const rotate = async (): Promise<void> => {
      this.#open({ name: 'key', webhook: await this.#state!.rotate(id) });
    };
    return html`
      <h2 id="dialog" dir="auto">${messages.actionOf(messages.key, url)}</h2>
      <p class="soft">${messages.keyEffect}</p>
      <copy-field .messages=${common.copy} .label=${messages.key} .value=${signingKey}></copy-field>
      <p class="soft">
        ${isOldValid ? messages.oldKeyUntil(new Date(oldKeyExpiresOn).toLocaleString(language)) : messages.rotateEffect}
      </p>
      ${fault}
      <div class="actions">
        <button ?disabled=${this.isBusy} @click=${() => this.attempt(rotate)}>${messages.rotate}</button>
        <button class="primary" @click=${() => this.#open(undefined)}>${common.done}</button>
      </div>
    `;
  }

  readonly #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const { dialog } = this;
    if (dialog?.name !== 'edit') return;
    this.dialog = { ...dialog, isChecked: true };
    if (!isUrl(dialog.draft.url)) {
      void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[name="url"]')?.focus());
      return;
    }
    this.attempt(async () => {
      const saved = await this.#state!.save(dialog.draft);
      if (dialog.draft.id === undefined) this.#open({ name: 'key', webhook: saved }, this.messages.saved(saved.url));
      else this.#open(undefined, this.messages.saved(saved.url));
    });
  };

  #open(dialog: Dialog | undefined, done = ''): void {
    this.fault = '';
    this.done = done;
    this.dialog = dialog;
  }
}

function knownEvents({ events }: WebhookBody): readonly WebhookEventType[] {
  return webhookEventType.options.filter((type) => events.includes(type));
}

function toggled(events: readonly WebhookEventType[], type: WebhookEventType): readonly WebhookEventType[] {
  return events.includes(type) ? events.filter((one) => one !== type) : [...events, type];
}

function isUrl(text: string): boolean {
  return URL.canParse(text.trim()) && /^https?:/i.test(text.trim());
}

function valueOf({ target }: Event): string {
  return target instanceof HTMLInputElement ? target.value : '';
}

customElements.define('webhooks-page', WebhooksPage);

declare global {
  interface HTMLElementTagNameMap {
    'webhooks-page': WebhooksPage;
  }
}

import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { WebhookBody } from '../../../wire/management/webhook.js';
import { webhookEventType } from '../../../wire/webhook-event.js';
import { DashboardPage } from '../dashboard-page.js';
import { pageNumber } from '../page-query.js';
import { deliveryLog } from './delivery-log.js';
import type { WebhooksMessages } from './messages/webhooks-messages.js';
import { hasUrl, webhookDialog, type EditDialog, type WebhookDialog } from './webhook-dialog.js';
import { webhookName } from './unreadable-webhook.js';
import { knownEvents, webhookRow } from './webhook-row.js';
import { WebhooksState, type WebhooksContent } from './webhooks-state.js';

/** The webhooks of the account, their keys, and what was sent to them. */
export class WebhooksPage extends DashboardPage<WebhooksMessages, WebhooksContent, WebhookDialog> {
  #state!: WebhooksState;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#state = new WebhooksState(this.client, (view) => this.show(view));
    this.follow(this.query);
  }

  protected override follow(query: URLSearchParams): void {
    void this.#state.showLog(query.has('log') ? pageNumber(query, 'log') : undefined, pageNumber(query));
  }

  protected override render(): TemplateResult {
    const { messages, changes, dialog, texts } = this;
    return html`
      <h1 tabindex="-1">${messages.webhooks}</h1>
      <p class="soft">${messages.purpose}</p>
      ${this.outcome()}
      ${this.whenReady(
        (content) => this.#content(content),
        () => this.follow(this.query),
      )}
      ${dialog.render((shown) =>
        webhookDialog(
          shown,
          {
            changes,
            onEdit: (edited, draft) => dialog.replace(edited, { ...edited, draft }),
            onSave: (edited) => this.#save(edited),
            onRotate: (webhook) => this.#rotate(webhook),
            onRemove: (webhook) => this.#remove(webhook),
            onCancel: () => dialog.close(),
          },
          texts,
        ),
      )}
    `;
  }

  #content({ webhooks, log }: WebhooksContent): TemplateResult {
    const { messages, changes, texts } = this;
    if (log) {
      return deliveryLog(
        log,
        {
          isBusy: changes.isBusy,
          onBack: () => this.turn({}),
          onPage: (page) => this.turn({ log: log.webhook.id, page }),
          onReplay: (delivery) => changes.attempt(() => this.#state.replay(log, delivery)),
        },
        texts,
      );
    }
    const draft = { id: undefined, url: '', description: '', events: webhookEventType.options };
    return html`
      <div class="actions">
        <button class="primary" @click=${() => void this.dialog.open({ name: 'edit', draft, isChecked: false })}>
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
    const { changes, dialog } = this;
    const { id, url, description } = webhook;
    const draft = { id, url, description, events: knownEvents(webhook) };
    return webhookRow(
      webhook,
      {
        isBusy: changes.isBusy,
        onLog: () => this.turn({ log: id }),
        onTest: () => changes.attempt(() => this.#state.test(id)),
        onKey: () => void dialog.open({ name: 'key', webhook }),
        onEdit: () => void dialog.open({ name: 'edit', draft, isChecked: false }),
        onActivate: (isActive) => changes.attempt(() => this.#state.setActive(id, isActive)),
        onRemove: () => void dialog.open({ name: 'remove', webhook }),
      },
      this.texts,
    );
  }

  #save(edited: EditDialog): void {
    const { draft } = edited;
    this.dialog.replace(edited, { ...edited, isChecked: true });
    if (!hasUrl(draft)) {
      void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[name="url"]')?.focus());
      return;
    }
    this.changes.attempt(async () => {
      const webhook = await this.#state.save(draft);
      // Whoever creates a webhook needs its key next.
      if (draft.id === undefined) this.showNewValue({ name: 'key', webhook });
      else this.dialog.close();
      return this.messages.saved(webhook.url);
    });
  }

  #rotate({ id }: WebhookBody): void {
    this.changes.attempt(async () => {
      this.showNewValue({ name: 'key', webhook: await this.#state.rotate(id) });
    });
  }

  #remove(webhook: WebhookBody): void {
    this.changes.attempt(async () => {
      await this.#state.remove(webhook.id);
      this.dialog.close();
      return this.messages.removed(webhookName(webhook));
    });
  }
}

customElements.define('webhooks-page', WebhooksPage);

declare global {
  interface HTMLElementTagNameMap {
    'webhooks-page': WebhooksPage;
  }
}

import { html, nothing, type TemplateResult } from 'lit';
import type { WebhookBody } from '../../../wire/management/webhook.js';
import { webhookEventType, type WebhookEventType } from '../../../wire/webhook-event.js';
import type { WebhooksMessages } from './messages/webhooks-messages.js';
import type { PageTexts } from '../page-context.js';
import { canSend, unreadableNote, unreadablePart, webhookName } from './unreadable-webhook.js';

interface RowActions {
  readonly isBusy: boolean;
  readonly onLog: () => void;
  readonly onTest: () => void;
  readonly onKey: () => void;
  readonly onEdit: () => void;
  readonly onActivate: (isActive: boolean) => void;
  readonly onRemove: () => void;
}

/** A webhook in the list, with what can be done with it. */
export function webhookRow(
  webhook: WebhookBody,
  actions: RowActions,
  { messages }: PageTexts<WebhooksMessages>,
): TemplateResult {
  const { description, isActive } = webhook;
  const url = webhookName(webhook);
  const unreadable = unreadablePart(webhook);
  const sends = canSend(webhook);
  const button = (name: string, act: () => void, style = '') => html`
    <button class=${style} ?disabled=${actions.isBusy} aria-label=${messages.actionOf(name, url)} @click=${act}>
      ${name}
    </button>
  `;
  return html`
    <li class="stacked">
      <div>
        <h2><bdi dir="ltr">${url}</bdi></h2>
        <p class="facts soft">
          <span class=${sends ? 'is-on' : isActive ? 'is-off' : ''}>${stateOf(webhook, messages)}</span>
          ${description ? html`<bdi>${description}</bdi>` : nothing}
          ${knownEvents(webhook).map((type) => html`<span>${messages.eventNames[type]}</span>`)}
        </p>
        ${unreadableNote(webhook, messages)}
      </div>
      <div class="actions">
        ${button(messages.log, actions.onLog)} ${sends ? button(messages.test, actions.onTest) : nothing}
        ${
          unreadable === 'row'
            ? nothing
            : html`${button(unreadable ? messages.rotate : messages.key, actions.onKey, unreadable ? 'primary' : '')}
              ${button(messages.edit, actions.onEdit)}
              ${button(isActive ? messages.disable : messages.enable, () => actions.onActivate(!isActive))}`
        }
        ${button(messages.remove, actions.onRemove, 'danger')}
      </div>
    </li>
  `;
}

function stateOf(webhook: WebhookBody, messages: WebhooksMessages): string {
  if (!webhook.isActive) return webhook.disabled?.reason === 'gone' ? messages.gone : messages.disabled;
  return canSend(webhook) ? messages.active : messages.notSending;
}

/** A newer server may have events that this page does not know. */
export function knownEvents({ events }: WebhookBody): readonly WebhookEventType[] {
  return webhookEventType.options.filter((type) => events.includes(type));
}

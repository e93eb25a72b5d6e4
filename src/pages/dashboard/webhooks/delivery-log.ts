import { html, nothing, type TemplateResult } from 'lit';
import { callFault, deliveryState, type WebhookDeliveryBody } from '../../../wire/management/webhook.js';
import { webhookEventType } from '../../../wire/webhook-event.js';
import { dateTimeText } from '../formatting.js';
import { pageButtons } from '../page-buttons.js';
import type { WebhooksMessages } from './messages/webhooks-messages.js';
import type { PageTexts } from '../page-context.js';
import { canSend, unreadableNote, webhookName } from './unreadable-webhook.js';
import type { DeliveryLog } from './webhooks-state.js';

interface LogActions {
  readonly isBusy: boolean;
  readonly onBack: () => void;
  readonly onPage: (page: number) => void;
  readonly onReplay: (deliveryId: number) => void;
}

/** What was sent to a webhook, the newest first. */
export function deliveryLog(log: DeliveryLog, actions: LogActions, texts: PageTexts<WebhooksMessages>): TemplateResult {
  const { onBack, onPage } = actions;
  const { messages, common, language } = texts;
  return html`
    <div class="actions">
      <button @click=${onBack}>${messages.back}</button>
      <button @click=${() => onPage(1)}>${messages.refresh}</button>
    </div>
    <section class="card" aria-labelledby="log">
      <h2 id="log" dir="auto">${messages.actionOf(messages.log, webhookName(log.webhook))}</h2>
      ${unreadableNote(log.webhook, messages)}
      ${
        log.deliveries.length === 0
          ? html`<p class="soft">${messages.logEmpty}</p>`
          : html`<ul>
              ${log.deliveries.map((delivery) => row(delivery, log, actions, texts))}
            </ul>`
      }
      ${pageButtons(log, { messages: common, language }, onPage)}
    </section>
  `;
}

function row(
  delivery: WebhookDeliveryBody,
  log: DeliveryLog,
  { isBusy, onReplay }: LogActions,
  { messages, language }: PageTexts<WebhooksMessages>,
): TemplateResult {
  const { id, type, createdOn, attempts, lastStatus, lastFault, nextAttemptOn, payload } = delivery;
  const known = deliveryState.safeParse(delivery.state).data;
  const fault = callFault.safeParse(lastFault).data;
  const event = webhookEventType.safeParse(type).data;
  const name = event ? messages.eventNames[event] : type;
  const time = (text: string) => dateTimeText(text, language, 'medium');
  return html`
    <li class="stacked">
      <div>
        <h3>${name}</h3>
        <p class="facts soft">
          <span class=${known === 'delivered' ? 'is-on' : ''}>${known ? messages.states[known] : delivery.state}</span>
          <time datetime=${createdOn}>${time(createdOn)}</time>
          <span>${messages.attempts(attempts.toLocaleString(language))}</span>
          ${lastStatus === null ? nothing : html`<span>${messages.status(String(lastStatus))}</span>`}
          ${fault ? html`<span class="error">${messages.faults[fault]}</span>` : nothing}
          ${nextAttemptOn !== null && attempts > 0 ? html`<span>${messages.nextAttempt(time(nextAttemptOn))}</span>` : nothing}
        </p>
        <details>
          <summary dir="ltr">${type}</summary>
          <pre dir="ltr" tabindex="0">${payload}</pre>
        </details>
      </div>
      ${
        known === 'waiting' || !canSend(log.webhook)
          ? nothing
          : html`<div class="actions">
              <button
                ?disabled=${isBusy}
                aria-label=${messages.actionOf(messages.replay, `${name}, ${time(createdOn)}`)}
                @click=${() => onReplay(id)}
              >
                ${messages.replay}
              </button>
            </div>`
      }
    </li>
  `;
}

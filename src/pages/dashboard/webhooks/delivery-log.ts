import { html, nothing, type TemplateResult } from 'lit';
import { callFault, deliveryState, type WebhookDeliveryBody } from '../../../wire/management/webhook.js';
import { webhookEventType } from '../../../wire/webhook-event.js';
import type { DashboardMessages } from '../messages/dashboard-messages.js';
import { pageButtons } from '../page-buttons.js';
import type { WebhooksMessages } from './messages/webhooks-messages.js';
import type { DeliveryLog } from './webhooks-state.js';

export interface DeliveryLogOptions {
  readonly messages: WebhooksMessages;
  readonly common: DashboardMessages;
  readonly language: string;
  readonly isBusy: boolean;
  readonly onBack: () => void;
  readonly onPage: (page: number) => void;
  readonly onReplay: (deliveryId: number) => void;
}

/** What was sent to a webhook, the newest first. */
export function deliveryLog(log: DeliveryLog, options: DeliveryLogOptions): TemplateResult {
  const { messages, common, language, onBack, onPage } = options;
  const { url } = log.webhook;
  return html`
    <div class="actions">
      <button @click=${onBack}>${messages.back}</button>
      <button @click=${() => onPage(1)}>${messages.refresh}</button>
    </div>
    <section class="card" aria-labelledby="log">
      <h2 id="log" dir="auto">${messages.actionOf(messages.log, url)}</h2>
      ${
        log.deliveries.length === 0
          ? html`<p class="soft">${messages.logEmpty}</p>`
          : html`<ul>
              ${log.deliveries.map((delivery) => row(delivery, log, options))}
            </ul>`
      }
      ${pageButtons(log, { messages: common, language }, onPage)}
    </section>
  `;
}

function row(delivery: WebhookDeliveryBody, log: DeliveryLog, options: DeliveryLogOptions): TemplateResult {
  const { messages, language, isBusy, onReplay } = options;
  const { id, type, createdOn, attempts, lastStatus, lastFault, nextAttemptOn, payload } = delivery;
  const known = deliveryState.safeParse(delivery.state).data;
  const fault = callFault.safeParse(lastFault).data;
  const event = webhookEventType.safeParse(type).data;
  const name = event ? messages.eventNames[event] : type;
  const time = (text: string) => new Date(text).toLocaleString(language);
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
        known === 'waiting' || !log.webhook.isActive
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

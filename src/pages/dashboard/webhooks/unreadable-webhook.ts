import { html, nothing, type TemplateResult } from 'lit';
import type { WebhookBody } from '../../../wire/management/webhook.js';
import type { WebhooksMessages } from './messages/webhooks-messages.js';

/** What the server cannot read of a webhook. `key`: a new key mends it. `row`: only a new webhook does. */
type UnreadablePart = keyof WebhooksMessages['unreadable'];

/** A fault that only a later server knows is one of the row. */
export function unreadablePart({ fault }: WebhookBody): UnreadablePart | undefined {
  if (!fault) return undefined;
  return fault.code === 'webhook_key_unreadable' ? 'key' : 'row';
}

/** Whether the server sends events, tests and replays. */
export function canSend(webhook: WebhookBody): boolean {
  return webhook.isActive && unreadablePart(webhook) === undefined;
}

/** Its address. If that cannot be read: its id. */
export function webhookName({ id, url }: WebhookBody): string {
  return url || `#${id}`;
}

/** What cannot be read, and what the person does about it. When a webhook is disabled, what waited for it is dropped. */
export function unreadableSentences(
  webhook: WebhookBody,
  { unreadable, keyReplaced }: Pick<WebhooksMessages, 'unreadable' | 'keyReplaced'>,
): readonly string[] {
  const part = unreadablePart(webhook);
  if (!part) return [];
  return part === 'row' ? [unreadable.row] : [unreadable.key, keyReplaced[webhook.isActive ? 'active' : 'disabled']];
}

export function unreadableNote(webhook: WebhookBody, messages: WebhooksMessages): TemplateResult | typeof nothing {
  const sentences = unreadableSentences(webhook, messages);
  return sentences.length > 0 ? html`<p class="error">${sentences.join(' ')}</p>` : nothing;
}

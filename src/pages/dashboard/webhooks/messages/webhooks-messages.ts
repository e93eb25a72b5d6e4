// Generated from en.json by `npm run generate`. Do not edit.
import type { CallFault } from '../../../../wire/management/webhook.js';
import type { DeliveryState } from '../../../../wire/management/webhook.js';
import type { WebhookEventType } from '../../../../wire/webhook-event.js';

/** The texts of the page of webhooks. `url` is the address of a receiver. */
export interface WebhooksMessages {
  readonly webhooks: string;
  readonly purpose: string;
  /** The list is empty. */
  readonly none: string;
  readonly newWebhook: string;
  readonly url: string;
  readonly description: string;
  readonly events: string;
  readonly eventNames: Readonly<Record<WebhookEventType, string>>;
  readonly urlMissing: string;
  readonly create: string;
  readonly save: string;
  readonly saved: (url: string) => string;
  readonly active: string;
  readonly disabled: string;
  /** Its receiver answered 410. */
  readonly gone: string;
  /** It is active, but what is stored of it cannot be read. */
  readonly notSending: string;
  /** What follows from a new key in place of one that cannot be read. */
  readonly keyReplaced: Readonly<Record<'active' | 'disabled', string>>;
  /** What cannot be read, and what to do. */
  readonly unreadable: {
    readonly key: string;
    readonly row: string;
  };
  readonly edit: string;
  readonly key: string;
  readonly keyEffect: string;
  readonly oldKeyUntil: (time: string) => string;
  readonly rotate: string;
  readonly rotateEffect: string;
  readonly test: string;
  readonly log: string;
  readonly enable: string;
  readonly disable: string;
  readonly remove: string;
  readonly removeEffect: string;
  readonly removed: (url: string) => string;
  /** A button for one webhook. */
  readonly actionOf: (action: string, url: string) => string;
  readonly back: string;
  readonly refresh: string;
  readonly logEmpty: string;
  readonly states: Readonly<Record<DeliveryState, string>>;
  readonly faults: Readonly<Record<CallFault, string>>;
  readonly status: (status: string) => string;
  readonly attempts: (count: string) => string;
  readonly nextAttempt: (time: string) => string;
  readonly replay: string;
}

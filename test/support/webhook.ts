import type { NewWebhook } from '../../server/webhooks/webhook-store.js';
import { webhookEventType } from '../../src/wire/webhook-event.js';
import { streamStarted, streamEnded, type Occurrence } from '../../server/webhooks/occurrence.js';

/** A webhook of the account acme that wants every event. */
export function aWebhook(fields: Partial<NewWebhook> = {}): NewWebhook {
  return {
    accountId: 'acme',
    url: 'https://receiver.example/hooks?token=s3cr3t',
    description: '',
    events: webhookEventType.options,
    disabled: null,
    keys: { current: Buffer.alloc(32, 1).toString('base64'), old: null },
    ...fields,
  };
}

export function aStart(streamName = 'keynote', time = 1_000, accountId = 'acme'): Occurrence {
  return streamStarted({ accountId, streamName, time });
}

export function anEnd(streamName = 'keynote', time = 2_000, accountId = 'acme'): Occurrence {
  return streamEnded({ accountId, streamName, time }, 1_000);
}

import { randomBytes } from 'node:crypto';
import type { WebhookEventType } from '../../src/wire/webhook-event.js';

/** As Standard Webhooks recommends: 24 to 64 bytes. */
const KEY_BYTES = 32;

/** What the owner decides about a webhook. */
export interface WebhookFields {
  readonly url: string;
  readonly description: string;
  readonly events: readonly WebhookEventType[];
  /** Why nothing is sent. Null: it is active. */
  readonly disabled: { readonly reason: 'owner' | 'gone'; readonly on: number } | null;
  /** Null: they cannot be read, and nothing is sent until they are rotated. */
  readonly keys: WebhookKeys | null;
}

/** The keys that calls are signed with, in base64. */
export interface WebhookKeys {
  readonly current: string;
  /** Calls are signed with it too, until it expires. Milliseconds since 1970. */
  readonly old: { readonly key: string; readonly expiresOn: number } | null;
}

/** An address that events of an account are sent to. Times are milliseconds since 1970. */
export interface Webhook extends WebhookFields {
  readonly id: number;
  readonly accountId: string;
  readonly createdOn: number;
  readonly updatedOn: number;
  /** What cannot be read of it: nothing is sent. `key`: a rotation mends it. */
  readonly fault: 'key' | 'row' | null;
}

/** @returns base64 */
export function newWebhookKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** The old key, if it can be read, stays valid for so many milliseconds. A key that was old before is forgotten. */
export function rotatedKeys(
  before: WebhookFields['keys'],
  key: string,
  oldExpiresOn: number,
  now: number,
): WebhookKeys {
  const old = before && oldExpiresOn > now ? { key: before.current, expiresOn: oldExpiresOn } : null;
  return { current: key, old };
}

/** Those that are valid now, the newest first. */
export function validKeys({ current, old }: WebhookKeys, now: number): readonly string[] {
  return old && old.expiresOn > now ? [current, old.key] : [current];
}

/** Switches a webhook on, or off because its owner wants it. */
export function switched(
  { disabled }: Pick<WebhookFields, 'disabled'>,
  isActive: boolean | undefined,
  now: number,
): WebhookFields['disabled'] {
  if (isActive === undefined) return disabled;
  if (isActive) return null;
  return disabled ?? { reason: 'owner', on: now };
}

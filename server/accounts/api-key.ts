import type { ApiKeyScope, UpdateApiKey } from '../../src/wire/management/api-key.js';
import { ConflictError } from '../errors.js';

/** A named key of a machine for the management API. Times are milliseconds since 1970. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly valueHash: string;
  /** Valid beside the value until its time. Null: the key was not rotated. */
  readonly oldValue: { readonly hash: string; readonly expiresOn: number } | null;
  readonly scopes: readonly ApiKeyScope[];
  readonly createdOn: number;
  /** Null: never. */
  readonly expiresOn: number | null;
  /** Null: never used. */
  readonly lastUse: LastUse | null;
  /** Null: not revoked. */
  readonly revokedOn: number | null;
  /** What is stored of it cannot be read: it opens nothing, and can only be revoked. */
  readonly unreadable?: true;
}

export interface LastUse {
  readonly time: number;
  /** In the form of `bindingAddress`. Empty: unknown. */
  readonly from: string;
}

/** Whether a value opens the account of its key at `now`, or why not. */
export type ApiKeyState = 'valid' | 'key_expired' | 'key_revoked';

/** @param valueHash the value or the old value of the key */
export function apiKeyState(key: ApiKey, valueHash: string, now: number): ApiKeyState {
  if (key.revokedOn !== null) return 'key_revoked';
  if (key.expiresOn !== null && key.expiresOn <= now) return 'key_expired';
  if (key.valueHash === valueHash) return 'valid';
  return key.oldValue?.hash === valueHash && now < key.oldValue.expiresOn ? 'valid' : 'key_expired';
}

/** The key with a change of its fields. @throws {ConflictError} `key_revoked` */
export function changedApiKey(key: ApiKey, change: UpdateApiKey, now: number): ApiKey {
  refuseRevoked(key);
  const { name = key.name, scopes = key.scopes, expires } = change;
  return { ...key, name, scopes, expiresOn: expires === undefined ? key.expiresOn : expiryAfter(expires, now) };
}

/**
 * The key with a new value. The present value becomes the old one; one that was old already is refused from now on.
 * @throws {ConflictError} `key_revoked`
 */
export function rotatedApiKey(key: ApiKey, valueHash: string, oldValueExpiresOn: number, now: number): ApiKey {
  refuseRevoked(key);
  const oldValue = oldValueExpiresOn > now ? { hash: key.valueHash, expiresOn: oldValueExpiresOn } : null;
  return { ...key, valueHash, oldValue };
}

/** A key that is revoked stays revoked since the first time. */
export function revokedApiKey(key: ApiKey, now: number): ApiKey {
  return key.revokedOn === null ? { ...key, revokedOn: now } : key;
}

/** @param seconds null: never */
export function expiryAfter(seconds: number | null, now: number): number | null {
  return seconds === null ? null : now + seconds * 1000;
}

function refuseRevoked({ revokedOn, id }: ApiKey): void {
  if (revokedOn === null) return;
  throw new ConflictError('key_revoked', `Key ${id} is revoked and cannot be changed; create another key`);
}

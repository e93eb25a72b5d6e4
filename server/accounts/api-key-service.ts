import { randomBytes } from 'node:crypto';
import type { ApiKeyListQuery, CreateApiKey, UpdateApiKey } from '../../src/wire/management/api-key.js';
import { NotFoundError } from '../errors.js';
import {
  apiKeyState,
  changedApiKey,
  expiryAfter,
  revokedApiKey,
  rotatedApiKey,
  type ApiKey,
  type ApiKeyState,
} from './api-key.js';
import { newSecretValue, secretHash } from './secret-value.js';

/** Identifies the value of a key, for example to secret scanners. The API secret has another prefix. */
export const API_KEY_PREFIX = 'sgk_';

export type ApiKeyChangeAction = 'key_changed' | 'key_rotated' | 'key_revoked';

export interface ApiKeyPage {
  readonly keys: readonly ApiKey[];
  /** The number of keys on all pages. */
  readonly total: number;
}

/**
 * Stores the keys of accounts. Each change is written to the audit log in the same transaction.
 *
 * Every implementation passes test/server/store/tables/api-key-store.contract.ts.
 */
export interface ApiKeyStore {
  /** The account must exist. */
  add(key: ApiKey): Promise<void>;
  /**
   * Replaces a key of the account by what `decide` makes of it, in one step. Nothing is written if `decide` returns
   * the same key, or throws: then `change` rejects with that error.
   * @returns the key after the change; undefined if the account has no such key
   */
  change(
    subject: { readonly accountId: string; readonly id: string },
    decide: (key: ApiKey) => ApiKey,
    audit: { readonly action: ApiKeyChangeAction; readonly now: number },
  ): Promise<ApiKey | undefined>;
  /** The newest first. */
  list(accountId: string, query: ApiKeyListQuery): Promise<ApiKeyPage>;
  /** The key with this value or this old value, also if it has expired or is revoked. */
  findByHash(hash: string): Promise<ApiKey | undefined>;
  /** Records a use, unless one of the last minute is recorded. */
  recordUse(id: string, time: number, from: string): Promise<void>;
}

/** A value that belongs to a key: of a valid one, or why it is refused. */
export interface VerifiedApiKey {
  readonly key: ApiKey;
  readonly state: ApiKeyState;
}

/** A key whose value is known only now. */
export interface NewApiKeyValue {
  readonly key: ApiKey;
  readonly value: string;
}

/** Refuses changes that the caller may not make, by throwing. */
export type ApiKeyGuard = (key: ApiKey) => void;

/**
 * The named keys of an account. A value is shown once and stored as a hash. Each check asks the store, so that every
 * server refuses a revoked key at once.
 */
export class ApiKeyService {
  readonly #store: ApiKeyStore;
  readonly #now: () => number;

  constructor(store: ApiKeyStore, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** The account must exist. */
  async create(accountId: string, { name, scopes, expires = null }: CreateApiKey): Promise<NewApiKeyValue> {
    const value = newSecretValue(API_KEY_PREFIX);
    const now = this.#now();
    const key: ApiKey = {
      id: `key_${randomBytes(6).toString('hex')}`,
      accountId,
      name,
      valueHash: secretHash(value),
      oldValue: null,
      scopes,
      createdOn: now,
      expiresOn: expiryAfter(expires, now),
      lastUse: null,
      revokedOn: null,
    };
    await this.#store.add(key);
    return { key, value };
  }

  async list(accountId: string, query: ApiKeyListQuery): Promise<ApiKeyPage> {
    return await this.#store.list(accountId, query);
  }

  /**
   * @param guard is given the key as it is now
   * @throws {NotFoundError} `key_not_found` @throws {ConflictError} `key_revoked`
   */
  async update(accountId: string, id: string, change: UpdateApiKey, guard: ApiKeyGuard): Promise<ApiKey> {
    const now = this.#now();
    const decide = (key: ApiKey) => {
      guard(key);
      return changedApiKey(key, change, now);
    };
    return found(await this.#store.change({ accountId, id }, decide, { action: 'key_changed', now }), id);
  }

  /**
   * Gives the key a new value. The old value stays valid for so many seconds.
   * @param guard is given the key as it is now
   * @throws {NotFoundError} `key_not_found` @throws {ConflictError} `key_revoked`
   */
  async rotate(accountId: string, id: string, oldValueExpires: number, guard: ApiKeyGuard): Promise<NewApiKeyValue> {
    const value = newSecretValue(API_KEY_PREFIX);
    const now = this.#now();
    const decide = (key: ApiKey) => {
      guard(key);
      return rotatedApiKey(key, secretHash(value), now + oldValueExpires * 1000, now);
    };
    const key = found(await this.#store.change({ accountId, id }, decide, { action: 'key_rotated', now }), id);
    return { key, value };
  }

  /** Every server refuses all values of the key from now on. @throws {NotFoundError} `key_not_found` */
  async revoke(accountId: string, id: string): Promise<ApiKey> {
    const now = this.#now();
    const decide = (key: ApiKey) => revokedApiKey(key, now);
    return found(await this.#store.change({ accountId, id }, decide, { action: 'key_revoked', now }), id);
  }

  /** The key of a value; undefined if no key has it. */
  async verify(value: string): Promise<VerifiedApiKey | undefined> {
    const hash = secretHash(value);
    const key = await this.#store.findByHash(hash);
    return key && { key, state: apiKeyState(key, hash, this.#now()) };
  }

  async recordUse(id: string, time: number, from: string): Promise<void> {
    await this.#store.recordUse(id, time, from);
  }
}

function found(key: ApiKey | undefined, id: string): ApiKey {
  if (key) return key;
  throw new NotFoundError('key_not_found', `No key with id: ${id}`);
}

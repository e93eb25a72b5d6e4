import { ConflictError, NotFoundError } from '../errors.js';
import type { LastUse } from './api-key.js';
import { newSecretValue, secretHash, secretId } from './secret-value.js';

/** Identifies a secret that leaked, for example to secret scanners. */
const PREFIX = 'sg_';

/**
 * Stores the hash of each account's API secret, at most one for each account. The account must exist. Each change is
 * written to the audit log in the same transaction (server/oversight/audit-store.ts).
 *
 * Every implementation passes test/server/store/tables/api-secret-store.contract.ts.
 */
export interface ApiSecretStore {
  /** False if the account has a secret. Of two concurrent calls, one adds its secret. */
  add(accountId: string, hash: string, createdOn: number): Promise<boolean>;
  /** False if the account has no secret. */
  replace(accountId: string, hash: string, createdOn: number): Promise<boolean>;
  /** False if the account has no secret. @param now the time for the audit log */
  remove(accountId: string, now: number): Promise<boolean>;
  findAccount(hash: string): Promise<string | undefined>;
  /** Undefined if the account has no secret. */
  find(accountId: string): Promise<StoredApiSecret | undefined>;
  /** Records a use, unless one of the last minute is recorded. A new secret has none. */
  recordUse(hash: string, time: number, from: string): Promise<void>;
}

export interface StoredApiSecret {
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly createdOn: number;
  /** Null: never used. */
  readonly lastUse: LastUse | null;
}

/** What can be shown of a secret after it was created. */
export interface ApiSecretSummary extends Omit<StoredApiSecret, 'hash'> {
  readonly id: string;
}

/**
 * The secret of an account's management API: at most one, shown once, stored as a hash. A new account has none, and
 * every call is refused. Each check asks the store, so that a change by the CLI applies at once.
 */
export class ApiSecretService {
  readonly #store: ApiSecretStore;
  readonly #now: () => number;

  constructor(store: ApiSecretStore, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * The account must exist.
   * @throws {ConflictError} `secret_exists`
   */
  async create(accountId: string): Promise<string> {
    const secret = newSecretValue(PREFIX);
    if (await this.#store.add(accountId, secretHash(secret), this.#now())) return secret;
    throw new ConflictError(
      'secret_exists',
      `Account ${accountId} has an API secret already, and it cannot be shown again. Refresh it to get a new one; the old one then stops working at once.`,
    );
  }

  /**
   * Replaces the secret. The old one is refused from now on.
   * @throws {NotFoundError} `secret_not_found`
   */
  async refresh(accountId: string): Promise<string> {
    const secret = newSecretValue(PREFIX);
    if (await this.#store.replace(accountId, secretHash(secret), this.#now())) return secret;
    return noSecret(accountId);
  }

  /**
   * Deletes the secret. Every management call that presents a secret is refused from now on.
   * @throws {NotFoundError} `secret_not_found`
   */
  async delete(accountId: string): Promise<void> {
    if (!(await this.#store.remove(accountId, this.#now()))) noSecret(accountId);
  }

  /** Undefined if the account has no secret. */
  async state(accountId: string): Promise<ApiSecretSummary | undefined> {
    const found = await this.#store.find(accountId);
    if (!found) return undefined;
    const { hash, createdOn, lastUse } = found;
    return { id: secretId('sec', hash), createdOn, lastUse };
  }

  /** @param hash of a secret that was accepted */
  async recordUse(hash: string, time: number, from: string): Promise<void> {
    await this.#store.recordUse(hash, time, from);
  }

  /** The account of the secret; undefined if it is wrong. */
  async verify(secret: string): Promise<string | undefined> {
    return await this.#store.findAccount(secretHash(secret));
  }

  /** The id of the secret in the audit log: `sec_` and 12 hex digits. */
  idOf(secret: string): string {
    return secretId('sec', secretHash(secret));
  }
}

function noSecret(accountId: string): never {
  throw new NotFoundError('secret_not_found', `Account ${accountId} has no API secret. Create one first.`);
}

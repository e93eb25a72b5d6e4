import { ConflictError, NotFoundError } from '../errors.js';
import type { ApiSecretStore } from './api-secret-store.js';
import { newSecretValue, secretHash, secretId } from './secret-value.js';

/** Tells what it is when it turns up where it should not be. */
const PREFIX = 'sg_';

/**
 * The secret of an account's management API: one at most, shown once, kept as a hash. None, which is how an account
 * begins, refuses every call. Each check asks the store, so that what the CLI does counts at once.
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
      `Account ${accountId} has an API secret, and it cannot be shown again. Refresh it to get a new one; the old one then stops working at once.`,
    );
  }

  /**
   * A new secret in place of the present one, which is refused from now on.
   * @throws {NotFoundError} `secret_not_found`
   */
  async refresh(accountId: string): Promise<string> {
    const secret = newSecretValue(PREFIX);
    if (await this.#store.replace(accountId, secretHash(secret), this.#now())) return secret;
    return noSecret(accountId);
  }

  /**
   * From now on every management call with a secret is refused.
   * @throws {NotFoundError} `secret_not_found`
   */
  async delete(accountId: string): Promise<void> {
    if (!(await this.#store.remove(accountId, this.#now()))) noSecret(accountId);
  }

  /** The account whose present secret this is. */
  async verify(secret: string): Promise<string | undefined> {
    return await this.#store.findAccount(secretHash(secret));
  }

  /** What the audit log calls this secret: `sec_` and 12 hex digits. */
  idOf(secret: string): string {
    return secretId('sec', secretHash(secret));
  }
}

function noSecret(accountId: string): never {
  throw new NotFoundError('secret_not_found', `Account ${accountId} has no API secret. Create one first.`);
}

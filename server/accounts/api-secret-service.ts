import { ConflictError, NotFoundError } from '../errors.js';
import type { Database } from '../store/database.js';
import { newSecretValue, secretHash } from './secret-value.js';

/** Tells what it is when it turns up where it should not be. */
const PREFIX = 'sg_';

/**
 * The secret of an account's management API: one at most, shown once, kept as a hash. None, which is how an account
 * begins, refuses every call. Each check reads the database, so that what the CLI does counts at once.
 */
export class ApiSecretService {
  readonly #db: Database;
  readonly #now: () => number;

  constructor(db: Database, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  /**
   * The account must exist.
   * @throws {ConflictError} `secret_exists`
   */
  async create(accountId: string): Promise<string> {
    const secret = newSecretValue(PREFIX);
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('api_secret')
      .values({ account_id: accountId, secret_hash: secretHash(secret), created_on: this.#now() })
      .onConflict((conflict) => conflict.column('account_id').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows) return secret;
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
    const { numUpdatedRows } = await this.#db
      .updateTable('api_secret')
      .set({ secret_hash: secretHash(secret), created_on: this.#now() })
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n ? secret : noSecret(accountId);
  }

  /**
   * From now on every management call with a secret is refused.
   * @throws {NotFoundError} `secret_not_found`
   */
  async delete(accountId: string): Promise<void> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('api_secret')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) noSecret(accountId);
  }

  /** The account whose present secret this is. */
  async verify(secret: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('api_secret')
      .select('account_id')
      .where('secret_hash', '=', secretHash(secret))
      .executeTakeFirst();
    return row?.account_id;
  }
}

function noSecret(accountId: string): never {
  throw new NotFoundError('secret_not_found', `Account ${accountId} has no API secret. Create one first.`);
}

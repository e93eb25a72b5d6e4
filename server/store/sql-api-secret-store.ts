import type { ApiSecretStore } from '../accounts/api-secret-store.js';
import type { Database } from './database.js';

export class SqlApiSecretStore implements ApiSecretStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(accountId: string, hash: string, createdOn: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('api_secret')
      .values({ account_id: accountId, secret_hash: hash, created_on: createdOn })
      .onConflict((conflict) => conflict.column('account_id').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  async replace(accountId: string, hash: string, createdOn: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('api_secret')
      .set({ secret_hash: hash, created_on: createdOn })
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  async remove(accountId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('api_secret')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return numDeletedRows === 1n;
  }

  async findAccount(hash: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('api_secret')
      .select('account_id')
      .where('secret_hash', '=', hash)
      .executeTakeFirst();
    return row?.account_id;
  }
}

import type { Database } from '../store/database.js';

export interface Account {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdOn: number;
}

export const FIRST_ACCOUNT = 'main';

export class AccountStore {
  readonly #db: Database;
  readonly #now: () => number;

  constructor(db: Database, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  /** Undefined when the id is taken. The id is as `accountId` in src/wire/account.ts says. */
  async create(id: string): Promise<Account | undefined> {
    const account = { id, createdOn: this.#now() };
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('account')
      .values({ id, created_on: account.createdOn })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows ? account : undefined;
  }

  async get(id: string): Promise<Account | undefined> {
    const row = await this.#db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst();
    return row && { id: row.id, createdOn: Number(row.created_on) };
  }

  /** In order of creation. */
  async list(): Promise<Account[]> {
    const rows = await this.#db.selectFrom('account').selectAll().orderBy('created_on').orderBy('id').execute();
    return rows.map((row) => ({ id: row.id, createdOn: Number(row.created_on) }));
  }

  /** Makes the account `main` where there is none at all, and says whether it did: then this is a first start. */
  async ensureFirstAccount(): Promise<boolean> {
    const any = await this.#db.selectFrom('account').select('id').limit(1).executeTakeFirst();
    return !any && (await this.create(FIRST_ACCOUNT)) !== undefined;
  }
}

import type { Selectable } from 'kysely';
import { ACCOUNT_ID } from '../../../src/wire/text.js';
import { FIRST_ACCOUNT, type Account, type AccountStore } from '../../accounts/account-store.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database } from '../schema.js';
import type { AccountTable } from '../schema/account-tables.js';
import { writeAudit } from './sql-audit-store.js';

const accountReader = new RowReader<Selectable<AccountTable>, Account>({
  table: 'account',
  key: ['id'],
  // An account must not close because nobody knows when it was made.
  read: (row) => ({ id: row.text('id'), createdOn: row.tolerate(() => row.time('created_on'), 0) }),
});

export class SqlAccountStore implements AccountStore {
  readonly #db: Database;
  readonly #now: () => number;

  constructor(db: Database, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  async create(id: string): Promise<Account | undefined> {
    if (!ACCOUNT_ID.test(id)) throw new TypeError(`not the id of an account: ${JSON.stringify(id)}`);
    const account = { id, createdOn: this.#now() };
    return await this.#db.transaction().execute(async (trx) => {
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('account')
        .values({ id, created_on: account.createdOn })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow();
      if (!numInsertedOrUpdatedRows) return undefined;
      const change = { accountId: id, target: { kind: 'account', id }, before: null, after: { id } };
      await writeAudit(trx, { ...change, action: 'account_created' }, account.createdOn);
      return account;
    });
  }

  async get(id: string): Promise<Account | undefined> {
    const row = await this.#db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst();
    return accountReader.find(this.#db, row);
  }

  async list(): Promise<Account[]> {
    const rows = await this.#db.selectFrom('account').selectAll().orderBy('created_on').orderBy('id').execute();
    return accountReader.readAll(this.#db, rows);
  }

  async ensureFirstAccount(): Promise<boolean> {
    const existing = await this.#db.selectFrom('account').select('id').limit(1).executeTakeFirst();
    return !existing && (await this.create(FIRST_ACCOUNT)) !== undefined;
  }
}

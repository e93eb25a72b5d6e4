import type { Selectable } from 'kysely';
import type { AccountLimits, AccountLimitStore } from '../../accounts/limits/account-limits.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database } from '../schema.js';
import type { AccountLimitTable } from '../schema/account-tables.js';
import { writeAudit } from './sql-audit-store.js';

export class SqlAccountLimitStore implements AccountLimitStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async all(): Promise<ReadonlyMap<string, AccountLimits>> {
    const rows = await this.#db.selectFrom('account_limit').selectAll().execute();
    return new Map(limitReader.readAll(this.#db, rows).map(({ accountId, limits }) => [accountId, limits]));
  }

  async update(accountId: string, change: Partial<AccountLimits>, now: number): Promise<AccountLimits> {
    return await this.#db.transaction().execute(async (trx) => {
      // Writing first locks the row on every database, so that what is read with it is current.
      const row = await trx
        .insertInto('account_limit')
        .values({ account_id: accountId, updated_on: now })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ updated_on: now }))
        .returningAll()
        .executeTakeFirstOrThrow();
      const { limits: before } = limitReader.read(trx, row);
      const after = { ...before, ...change };
      await trx.updateTable('account_limit').set(columnsOf(after)).where('account_id', '=', accountId).execute();
      const target = { kind: 'account', id: accountId };
      await writeAudit(
        trx,
        { accountId, target, action: 'limits_changed', before: { ...before }, after: { ...after } },
        now,
      );
      return after;
    });
  }
}

/** What a limit that cannot be read allows: nothing, or a bitrate at which nobody can publish a picture, in bit/s. */
const CLOSED: Readonly<Record<keyof AccountLimits, number>> = { maxSessions: 0, maxCalls: 0, maxPublishBitrate: 1 };

const limitReader = new RowReader<Selectable<AccountLimitTable>, { accountId: string; limits: AccountLimits }>({
  table: 'account_limit',
  key: ['account_id'],
  read(row) {
    const limitOf = (column: 'max_sessions' | 'max_calls' | 'max_publish_bitrate', closed: number) =>
      row.tolerate(() => row.orNull(column, row.count), closed);
    const limits = {
      maxSessions: limitOf('max_sessions', CLOSED.maxSessions),
      maxCalls: limitOf('max_calls', CLOSED.maxCalls),
      maxPublishBitrate: limitOf('max_publish_bitrate', CLOSED.maxPublishBitrate),
    };
    return { accountId: row.text('account_id'), limits };
  },
});

function columnsOf({ maxSessions, maxCalls, maxPublishBitrate }: AccountLimits) {
  return { max_sessions: maxSessions, max_calls: maxCalls, max_publish_bitrate: maxPublishBitrate };
}

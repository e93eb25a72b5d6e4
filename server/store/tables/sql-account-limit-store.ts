import type { Selectable } from 'kysely';
import type { AccountLimits, AccountLimitStore } from '../../accounts/limits/account-limits.js';
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
    return new Map(rows.map((row) => [row.account_id, limitsOf(row)]));
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
      const before = limitsOf(row);
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

function limitsOf(row: Selectable<AccountLimitTable>): AccountLimits {
  return { maxSessions: row.max_sessions, maxCalls: row.max_calls, maxPublishBitrate: row.max_publish_bitrate };
}

function columnsOf({ maxSessions, maxCalls, maxPublishBitrate }: AccountLimits) {
  return { max_sessions: maxSessions, max_calls: maxCalls, max_publish_bitrate: maxPublishBitrate };
}

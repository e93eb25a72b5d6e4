import type { ExpressionBuilder, Selectable } from 'kysely';
import type { RefusalListQuery } from '../../src/wire/refusal.js';
import type { KeptRefusal, TimedRefusal } from '../oversight/refusal.js';
import type { RefusalPage, RefusalStore } from '../oversight/refusal-store.js';
import type { Database } from './database.js';
import type { RefusalTable, Schema } from './schema.js';

/** Rows of one insert. Databases limit the parameters of a statement, and each row has eight. */
const ROWS_AT_ONCE = 100;

export class SqlRefusalStore implements RefusalStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(refusals: readonly TimedRefusal[]): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      // Two are enough to tell whether there is but one.
      const some = await trx.selectFrom('account').select('id').limit(2).execute();
      const only = some.length === 1 ? some[0]!.id : undefined;
      const named = [...new Set(refusals.map(({ accountId }) => accountId).filter(Boolean))];
      const found =
        named.length > 0 ? await trx.selectFrom('account').select('id').where('id', 'in', named).execute() : [];
      const known = new Set(found.map(({ id }) => id));

      const rows = refusals.flatMap((refusal) => {
        const accountId = refusal.accountId === '' ? only : refusal.accountId;
        if (accountId === undefined || (accountId !== only && !known.has(accountId))) return [];
        return [
          {
            account_id: accountId,
            time: refusal.time,
            kind: refusal.kind,
            token_id: refusal.tokenId,
            stream_name: refusal.streamName,
            origin: refusal.origin ?? null,
            address: refusal.address,
            reason: refusal.reason,
          },
        ];
      });
      for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
        await trx
          .insertInto('refusal')
          .values(rows.slice(start, start + ROWS_AT_ONCE))
          .execute();
      }
    });
  }

  async list(accountId: string, { page, itemsOnPage, ...wanted }: RefusalListQuery): Promise<RefusalPage> {
    const matching = (eb: ExpressionBuilder<Schema, 'refusal'>) =>
      eb.and({
        account_id: accountId,
        ...(wanted.streamName !== undefined && { stream_name: wanted.streamName }),
        ...(wanted.tokenId !== undefined && { token_id: wanted.tokenId }),
        ...(wanted.reason !== undefined && { reason: wanted.reason }),
      });
    const rows = await this.#db
      .selectFrom('refusal')
      .selectAll()
      .where(matching)
      .orderBy('id', 'desc')
      .limit(itemsOnPage)
      .offset((page - 1) * itemsOnPage)
      .execute();
    const { total } = await this.#db
      .selectFrom('refusal')
      .select((eb) => eb.fn.countAll().as('total'))
      .where(matching)
      .executeTakeFirstOrThrow();
    return { refusals: rows.map(refusalOf), total: Number(total) };
  }

  async prune(time: number, most: number): Promise<void> {
    await this.#db.deleteFrom('refusal').where('time', '<', time).execute();
    const full = await this.#db
      .selectFrom('refusal')
      .select('account_id')
      .groupBy('account_id')
      .having((eb) => eb.fn.countAll(), '>', most)
      .execute();
    for (const { account_id: accountId } of full) {
      await this.#db
        .deleteFrom('refusal')
        .where('account_id', '=', accountId)
        .where('id', '<=', (eb) =>
          eb
            .selectFrom('refusal')
            .select('id')
            .where('account_id', '=', accountId)
            .orderBy('id', 'desc')
            .limit(1)
            .offset(most),
        )
        .execute();
    }
  }
}

function refusalOf(row: Selectable<RefusalTable>): KeptRefusal {
  return {
    id: Number(row.id),
    time: Number(row.time),
    kind: row.kind,
    accountId: row.account_id,
    tokenId: row.token_id === null ? null : Number(row.token_id),
    streamName: row.stream_name,
    origin: row.origin ?? undefined,
    address: row.address,
    reason: row.reason,
  };
}

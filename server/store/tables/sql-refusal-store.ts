import type { ExpressionBuilder, Insertable, Selectable } from 'kysely';
import type { RefusalListQuery } from '../../../src/wire/management/refusal.js';
import type { StoredRefusal, TimedRefusal } from '../../oversight/refusal.js';
import type { RefusalGroupPage, RefusalPage, RefusalStore } from '../../oversight/refusal-store.js';
import { storedTime, type Columns } from '../rows/columns.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database } from '../schema.js';
import type { Schema } from '../schema.js';
import type { RefusalTable, UnknownAccountRefusalTable } from '../schema/oversight-tables.js';

/** The rows of one insert. Databases limit the parameters of a statement, and each row has nine. */
const ROWS_AT_ONCE = 100;

export class SqlRefusalStore implements RefusalStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(refusals: readonly TimedRefusal[]): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      // Two rows are enough to know whether there is exactly one account.
      const some = await trx.selectFrom('account').select('id').limit(2).execute();
      const only = some.length === 1 ? some[0]!.id : undefined;
      const named = [...new Set(refusals.map(({ accountId }) => accountId).filter(Boolean))];
      const found =
        named.length > 0 ? await trx.selectFrom('account').select('id').where('id', 'in', named).execute() : [];
      const known = new Set(found.map(({ id }) => id));

      const own: Insertable<RefusalTable>[] = [];
      const unknown: Insertable<UnknownAccountRefusalTable>[] = [];
      for (const refusal of refusals) {
        const { accountId } = refusal;
        if (known.has(accountId)) own.push({ ...rowOf(refusal), account_id: accountId });
        else if (only === undefined) unknown.push({ ...rowOf(refusal), named_account: accountId });
        else own.push({ ...rowOf(refusal), account_id: only, named_account: accountId || null });
      }
      for (const part of inParts(own)) await trx.insertInto('refusal').values(part).execute();
      for (const part of inParts(unknown)) await trx.insertInto('unknown_account_refusal').values(part).execute();
    });
  }

  async list(accountId: string, query: RefusalListQuery): Promise<RefusalPage> {
    const matching = this.#db.selectFrom('refusal').where('account_id', '=', accountId).where(wanted(query));
    const { page, itemsOnPage } = query;
    const rows = await matching
      .selectAll()
      .orderBy('id', 'desc')
      .limit(itemsOnPage)
      .offset((page - 1) * itemsOnPage)
      .execute();
    const { total } = await matching.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
    return { refusals: refusalReader.readAll(this.#db, rows), total: Number(total) };
  }

  async groups(accountId: string, query: RefusalListQuery): Promise<RefusalGroupPage> {
    const grouped = this.#db
      .selectFrom('refusal')
      .where('account_id', '=', accountId)
      .where(wanted(query))
      .groupBy(['kind', 'reason', 'token_id', 'origin']);
    const { page, itemsOnPage } = query;
    const rows = await grouped
      .select((eb) => [
        'kind',
        'reason',
        'token_id',
        'origin',
        eb.fn.countAll().as('refusals'),
        eb.fn.min('time').as('first_on'),
        eb.fn.max('time').as('last_on'),
        eb.fn.max('id').as('last_id'),
      ])
      .orderBy('refusals', 'desc')
      .orderBy('last_id', 'desc')
      .limit(itemsOnPage)
      .offset((page - 1) * itemsOnPage)
      .execute();
    const { total } = await this.#db
      .selectFrom(grouped.select('reason').as('grouped'))
      .select((eb) => eb.fn.countAll().as('total'))
      .executeTakeFirstOrThrow();
    const groups = rows.map(({ kind, reason, token_id, origin, refusals, first_on, last_on }) => ({
      kind,
      reason,
      tokenId: token_id === null ? null : Number(token_id),
      origin: origin ?? undefined,
      refusals: Number(refusals),
      firstOn: storedTime(first_on) ?? 0,
      lastOn: storedTime(last_on) ?? 0,
    }));
    return { groups, total: Number(total) };
  }

  async listUnknown(query: RefusalListQuery): Promise<RefusalPage> {
    const matching = this.#db.selectFrom('unknown_account_refusal').where(wanted(query));
    const { page, itemsOnPage } = query;
    const rows = await matching
      .selectAll()
      .orderBy('id', 'desc')
      .limit(itemsOnPage)
      .offset((page - 1) * itemsOnPage)
      .execute();
    const { total } = await matching.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
    return { refusals: unknownReader.readAll(this.#db, rows), total: Number(total) };
  }

  async prune(time: number, most: number): Promise<void> {
    for (const table of ['refusal', 'unknown_account_refusal'] as const) {
      await this.#db.deleteFrom(table).where('time', '<', time).execute();
    }
    await this.#db
      .deleteFrom('unknown_account_refusal')
      .where('id', '<=', (eb) =>
        eb.selectFrom('unknown_account_refusal').select('id').orderBy('id', 'desc').limit(1).offset(most),
      )
      .execute();
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

function rowOf(refusal: TimedRefusal) {
  const { time, kind, tokenId, streamName, origin = null, address, reason } = refusal;
  return { time, kind, token_id: tokenId, stream_name: streamName, origin, address, reason, named_account: null };
}

function inParts<Row>(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / ROWS_AT_ONCE);
  return Array.from({ length: count }, (_, part) => rows.slice(part * ROWS_AT_ONCE, (part + 1) * ROWS_AT_ONCE));
}

function wanted({ streamName, tokenId, reason }: RefusalListQuery) {
  return (eb: ExpressionBuilder<Schema, 'refusal' | 'unknown_account_refusal'>) =>
    eb.and({
      ...(streamName !== undefined && { stream_name: streamName }),
      ...(tokenId !== undefined && { token_id: tokenId }),
      ...(reason !== undefined && { reason }),
    });
}

const refusalReader = new RowReader<Selectable<RefusalTable>, StoredRefusal>({
  table: 'refusal',
  key: ['id'],
  read: (row) => refusalOf(row, row.text('account_id')),
});

const unknownReader = new RowReader<Selectable<UnknownAccountRefusalTable>, StoredRefusal>({
  table: 'unknown_account_refusal',
  key: ['id'],
  read: (row) => refusalOf(row, ''),
});

function refusalOf<Row extends Selectable<UnknownAccountRefusalTable>>(
  row: Columns<Row>,
  accountId: string,
): StoredRefusal {
  return {
    id: row.integer('id'),
    time: row.time('time'),
    kind: row.shown('kind'),
    accountId,
    namedAccount: row.orNull('named_account', row.text) ?? undefined,
    tokenId: row.orNull('token_id', row.integer),
    streamName: row.text('stream_name'),
    origin: row.orNull('origin', row.text) ?? undefined,
    address: row.text('address'),
    reason: row.shown('reason'),
  };
}

import type { Selectable, Transaction } from 'kysely';
import * as z from 'zod/mini';
import type { AuditListQuery } from '../../../src/wire/management/audit.js';
import { currentActor } from '../../oversight/actor.js';
import { targetNameOf, type AuditChange, type AuditEntry, type AuditFields } from '../../oversight/audit-entry.js';
import type { AuditPage, AuditStore } from '../../oversight/audit-store.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database } from '../schema.js';
import type { Schema } from '../schema.js';
import type { AuditTable } from '../schema/oversight-tables.js';

/** Writes an audit entry for a change in the transaction, attributed to the present actor. Undefined: no change. */
export async function writeAudit(
  trx: Transaction<Schema>,
  change: AuditChange | undefined,
  now: number = Date.now(),
): Promise<void> {
  if (change) await writeAudits(trx, [change], now);
}

/** As `writeAudit`, for several changes in one statement. Databases limit its parameters, and each row has ten. */
export async function writeAudits(
  trx: Transaction<Schema>,
  changes: readonly AuditChange[],
  now: number,
): Promise<void> {
  const { by, id, name = null } = currentActor();
  const rows = changes.map((change) => ({
    account_id: change.accountId,
    time: now,
    actor_by: by,
    actor_id: id,
    actor_name: name,
    action: change.action,
    target_kind: change.target.kind,
    target_id: change.target.id,
    target_name: targetNameOf(change),
    before: textOf(change.before),
    after: textOf(change.after),
  }));
  if (rows.length > 0) await trx.insertInto('audit').values(rows).execute();
}

export class SqlAuditStore implements AuditStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async list(accountId: string, { page, itemsOnPage, action }: AuditListQuery): Promise<AuditPage> {
    const entries = this.#db
      .selectFrom('audit')
      .where('account_id', '=', accountId)
      .$if(action !== undefined, (query) => query.where('action', '=', action!));
    const rows = await entries
      .selectAll()
      .orderBy('id', 'desc')
      .limit(itemsOnPage)
      .offset((page - 1) * itemsOnPage)
      .execute();
    const { total } = await entries.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
    return { entries: auditReader.readAll(this.#db, rows), total: Number(total) };
  }

  async newestTime(): Promise<number | undefined> {
    const newest = this.#db.selectFrom('audit').select('time').orderBy('id', 'desc').limit(1);
    return (await newest.executeTakeFirst())?.time;
  }

  async prune(time: number): Promise<void> {
    await this.#db.deleteFrom('audit').where('time', '<', time).execute();
  }
}

const fields = z.record(z.string(), z.unknown());

const auditReader = new RowReader<Selectable<AuditTable>, AuditEntry>({
  table: 'audit',
  key: ['id'],
  read: (row) => ({
    id: row.integer('id'),
    time: row.time('time'),
    accountId: row.text('account_id'),
    actor: {
      by: row.shown('actor_by'),
      id: row.orNull('actor_id', row.text),
      ...(!row.isNull('actor_name') && { name: row.text('actor_name') }),
    },
    action: row.shown('action'),
    target: { kind: row.text('target_kind'), id: row.text('target_id') },
    ...(!row.isNull('target_name') && { targetName: row.text('target_name') }),
    before: row.tolerate(() => row.orNull('before', (name) => row.json(name, fields)), null),
    after: row.tolerate(() => row.orNull('after', (name) => row.json(name, fields)), null),
  }),
});

function textOf(changed: AuditFields | null): string | null {
  return changed && JSON.stringify(changed);
}

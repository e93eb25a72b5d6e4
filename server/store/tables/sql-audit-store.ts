import type { Selectable, Transaction } from 'kysely';
import type { AuditListQuery } from '../../../src/wire/management/audit.js';
import { currentActor } from '../../oversight/actor.js';
import type { AuditChange, AuditEntry, AuditFields } from '../../oversight/audit-entry.js';
import type { AuditPage, AuditStore } from '../../oversight/audit-store.js';
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

/** As `writeAudit`, for several changes in one statement. Databases limit its parameters, and each row has nine. */
export async function writeAudits(
  trx: Transaction<Schema>,
  changes: readonly AuditChange[],
  now: number,
): Promise<void> {
  const { by, id, name = null } = currentActor();
  const rows = changes.map(({ accountId, action, target, before, after }) => ({
    account_id: accountId,
    time: now,
    actor_by: by,
    actor_id: id,
    actor_name: name,
    action,
    target_kind: target.kind,
    target_id: target.id,
    before: textOf(before),
    after: textOf(after),
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
    return { entries: rows.map(entryOf), total: Number(total) };
  }

  async prune(time: number): Promise<void> {
    await this.#db.deleteFrom('audit').where('time', '<', time).execute();
  }
}

function entryOf(row: Selectable<AuditTable>): AuditEntry {
  return {
    id: Number(row.id),
    time: Number(row.time),
    accountId: row.account_id,
    actor: { by: row.actor_by, id: row.actor_id, ...(row.actor_name !== null && { name: row.actor_name }) },
    action: row.action,
    target: { kind: row.target_kind, id: row.target_id },
    before: fieldsOf(row.before),
    after: fieldsOf(row.after),
  };
}

function textOf(fields: AuditFields | null): string | null {
  return fields && JSON.stringify(fields);
}

function fieldsOf(text: string | null): AuditFields | null {
  return text === null ? null : JSON.parse(text);
}

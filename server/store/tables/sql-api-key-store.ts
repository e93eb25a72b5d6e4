import { isDeepStrictEqual } from 'node:util';
import type { Selectable, Transaction } from 'kysely';
import { apiKeyScope, type ApiKeyListQuery } from '../../../src/wire/management/api-key.js';
import type { ApiKey } from '../../accounts/api-key.js';
import type { ApiKeyPage, ApiKeyStore } from '../../accounts/api-key-service.js';
import { LAST_USE_INTERVAL_MS } from '../../accounts/last-use-recorder.js';
import type { AuditFields } from '../../oversight/audit-entry.js';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database, Schema } from '../schema.js';
import type { ApiKeyTable } from '../schema/credential-tables.js';
import { writeAudit } from './sql-audit-store.js';

export class SqlApiKeyStore implements ApiKeyStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(key: ApiKey): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx.insertInto('api_key').values(rowOf(key)).execute();
      const { accountId, id, createdOn } = key;
      const target = { kind: 'api_key', id };
      const after = visibleFields(key);
      await writeAudit(trx, { accountId, action: 'key_created', target, before: null, after }, createdOn);
    });
  }

  async change(...[{ accountId, id }, decide, { action, now }]: Parameters<ApiKeyStore['change']>) {
    const change = async (trx: Transaction<Schema>) => {
      // Writing first locks the row on every database, so the key that is read with it is current.
      const row = await trx
        .updateTable('api_key')
        .set({ account_id: accountId })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const before = action === 'key_revoked' ? keyReader.show(trx, row) : keyReader.read(trx, row);
      const after = decide(before);
      if (isDeepStrictEqual(after, before)) return before;
      await trx.updateTable('api_key').set(changedColumns(after)).where('id', '=', id).execute();
      const target = { kind: 'api_key', id };
      const fields = { before: visibleFields(before), after: visibleFields(after) };
      await writeAudit(trx, { accountId, action, target, ...fields }, now);
      return after;
    };
    // A key must be revocable when the disk is full.
    return await allowOnFullDisk(() => this.#db.transaction().execute(change));
  }

  async list(accountId: string, { page, itemsOnPage }: ApiKeyListQuery): Promise<ApiKeyPage> {
    const keys = this.#db.selectFrom('api_key').where('account_id', '=', accountId);
    const rows = await keys
      .selectAll()
      .orderBy('created_on', 'desc')
      .orderBy('id', 'desc')
      .limit(itemsOnPage)
      .offset((page - 1) * itemsOnPage)
      .execute();
    const { total } = await keys.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
    return { keys: keyReader.showAll(this.#db, rows), total: Number(total) };
  }

  async findByHash(hash: string): Promise<ApiKey | undefined> {
    const row = await this.#db
      .selectFrom('api_key')
      .selectAll()
      .where((eb) => eb.or([eb('value_hash', '=', hash), eb('old_value_hash', '=', hash)]))
      .executeTakeFirst();
    return keyReader.find(this.#db, row);
  }

  async recordUse(id: string, time: number, from: string): Promise<void> {
    await this.#db
      .updateTable('api_key')
      .set({ last_used_on: time, last_used_from: from })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('last_used_on', 'is', null), eb('last_used_on', '<=', time - LAST_USE_INTERVAL_MS)]))
      .execute();
  }
}

function rowOf(key: ApiKey): ApiKeyTable {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    value_hash: key.valueHash,
    old_value_hash: key.oldValue?.hash ?? null,
    old_value_expires_on: key.oldValue?.expiresOn ?? null,
    scopes: JSON.stringify(key.scopes),
    created_on: key.createdOn,
    expires_on: key.expiresOn,
    last_used_on: key.lastUse?.time ?? null,
    last_used_from: key.lastUse?.from ?? null,
    revoked_on: key.revokedOn,
  };
}

/** The use is written by itself. Of a key that cannot be read, the rest stays as it is. */
function changedColumns(key: ApiKey): Partial<ApiKeyTable> {
  if (key.unreadable) return { revoked_on: key.revokedOn };
  const { last_used_on: _time, last_used_from: _from, ...changed } = rowOf(key);
  return changed;
}

/** A key that cannot be read opens nothing. When it was made and used is only shown. */
const keyReader = new RowReader<Selectable<ApiKeyTable>, ApiKey>({
  table: 'api_key',
  key: ['id'],
  read(row) {
    const lastUse = () => ({
      time: row.time('last_used_on'),
      from: row.isNull('last_used_from') ? '' : row.text('last_used_from'),
    });
    // A scope of a later version gives nothing here.
    const scopes = row.list('scopes').flatMap((scope) => apiKeyScope.safeParse(scope).data ?? []);
    return {
      id: row.text('id'),
      accountId: row.text('account_id'),
      name: row.text('name'),
      valueHash: row.text('value_hash'),
      oldValue: row.isNull('old_value_hash')
        ? null
        : { hash: row.text('old_value_hash'), expiresOn: row.time('old_value_expires_on') },
      scopes,
      createdOn: row.tolerate(() => row.time('created_on'), 0),
      expiresOn: row.orNull('expires_on', row.time),
      lastUse: row.isNull('last_used_on') ? null : row.tolerate(lastUse, null),
      revokedOn: row.orNull('revoked_on', row.time),
    };
  },
  unreadable: (row) => ({
    id: row.text('id'),
    accountId: row.text('account_id'),
    name: row.tolerate(() => row.text('name'), ''),
    valueHash: '',
    oldValue: null,
    scopes: [],
    createdOn: row.tolerate(() => row.time('created_on'), 0),
    expiresOn: null,
    lastUse: null,
    revokedOn: row.tolerate(() => row.orNull('revoked_on', row.time), null),
    unreadable: true,
  }),
});

/** What the audit log shows of a key. */
function visibleFields({ name, scopes, expiresOn, oldValue, revokedOn }: ApiKey): AuditFields {
  return {
    name,
    scopes,
    expiresOn: isoOrNull(expiresOn),
    oldValueExpiresOn: isoOrNull(oldValue?.expiresOn ?? null),
    revokedOn: isoOrNull(revokedOn),
  };
}

const isoOrNull = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

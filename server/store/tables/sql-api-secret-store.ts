import type { Selectable, Transaction } from 'kysely';
import type { ApiSecretStore, StoredApiSecret } from '../../accounts/api-secret-service.js';
import { LAST_USE_INTERVAL_MS } from '../../accounts/last-use-recorder.js';
import { secretId } from '../../accounts/secret-value.js';
import type { AuditAction } from '../../../src/wire/management/audit.js';
import type { Database } from '../schema.js';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import { RowReader } from '../rows/row-reader.js';
import type { Schema } from '../schema.js';
import type { ApiSecretTable } from '../schema/credential-tables.js';
import { writeAudit } from './sql-audit-store.js';

export class SqlApiSecretStore implements ApiSecretStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(accountId: string, hash: string, createdOn: number): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('api_secret')
        .values({ account_id: accountId, secret_hash: hash, created_on: createdOn })
        .onConflict((conflict) => conflict.column('account_id').doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows !== 1n) return false;
      await audit(trx, 'secret_created', { accountId, is: hash, now: createdOn });
      return true;
    });
  }

  async replace(accountId: string, hash: string, createdOn: number): Promise<boolean> {
    const replace = async (trx: Transaction<Schema>) => {
      // Writing first locks the row on every database, so the hash that is read with it is current.
      const present = await trx
        .updateTable('api_secret')
        .set({ created_on: createdOn, last_used_on: null, last_used_from: null })
        .where('account_id', '=', accountId)
        .returning('secret_hash')
        .executeTakeFirst();
      if (!present) return false;
      await trx.updateTable('api_secret').set({ secret_hash: hash }).where('account_id', '=', accountId).execute();
      await audit(trx, 'secret_refreshed', { accountId, was: present.secret_hash, is: hash, now: createdOn });
      return true;
    };
    return await allowOnFullDisk(() => this.#db.transaction().execute(replace));
  }

  async remove(accountId: string, now: number): Promise<boolean> {
    const remove = async (trx: Transaction<Schema>) => {
      const removed = await trx
        .deleteFrom('api_secret')
        .where('account_id', '=', accountId)
        .returning('secret_hash')
        .executeTakeFirst();
      if (!removed) return false;
      await audit(trx, 'secret_deleted', { accountId, was: removed.secret_hash, now });
      return true;
    };
    return await allowOnFullDisk(() => this.#db.transaction().execute(remove));
  }

  async findAccount(hash: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('api_secret')
      .select('account_id')
      .where('secret_hash', '=', hash)
      .executeTakeFirst();
    return row?.account_id;
  }

  async find(accountId: string): Promise<StoredApiSecret | undefined> {
    const row = await this.#db
      .selectFrom('api_secret')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return secretReader.find(this.#db, row);
  }

  async recordUse(hash: string, time: number, from: string): Promise<void> {
    await this.#db
      .updateTable('api_secret')
      .set({ last_used_on: time, last_used_from: from })
      .where('secret_hash', '=', hash)
      .where((eb) => eb.or([eb('last_used_on', 'is', null), eb('last_used_on', '<=', time - LAST_USE_INTERVAL_MS)]))
      .execute();
  }
}

const secretReader = new RowReader<Selectable<ApiSecretTable>, StoredApiSecret>({
  table: 'api_secret',
  key: ['account_id'],
  read(row) {
    const lastUse = () => ({
      time: row.time('last_used_on'),
      from: row.isNull('last_used_from') ? '' : row.text('last_used_from'),
    });
    return {
      hash: row.text('secret_hash'),
      createdOn: row.tolerate(() => row.time('created_on'), 0),
      lastUse: row.isNull('last_used_on') ? null : row.tolerate(lastUse, null),
    };
  },
});

interface Hashes {
  readonly accountId: string;
  readonly was?: string;
  readonly is?: string;
  readonly now: number;
}

async function audit(trx: Transaction<Schema>, action: AuditAction, { accountId, was, is, now }: Hashes) {
  const named = (hash: string | undefined) => (hash === undefined ? null : { id: secretId('sec', hash) });
  const target = { kind: 'api_secret', id: secretId('sec', is ?? was ?? '') };
  await writeAudit(trx, { accountId, action, target, before: named(was), after: named(is) }, now);
}

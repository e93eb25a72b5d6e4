import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { openDatabase } from '../../../server/store/database.js';
import { DATABASE_FILE } from '../../../server/store/sqlite/sqlite-database.js';
import type { Database } from '../../../server/store/schema.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { query } from '../../support/postgres.js';
import { suitePostgres } from '../../support/suite-postgres.js';

const fixtureUrl = (name: string) => new URL(`migrations/${name}`, import.meta.url);
const fixture = (name: string) => readFileSync(fixtureUrl(name), 'utf8');

/** Compares a schema with the stored one. With `UPDATE_SCHEMA=1` in the environment it is stored instead. */
function checkSchema(schema: string, name: string): void {
  if (process.env['UPDATE_SCHEMA'] === '1') writeFileSync(fixtureUrl(name), schema);
  assert.equal(schema, fixture(name));
}

/** The rows of `database-at-0003`, as the present schema shows them. */
async function storedRows(db: Database) {
  return {
    token: await db.selectFrom('token').select(['id', 'label', 'revision', 'expires_on']).orderBy('id').execute(),
    stream: await db.selectFrom('token_stream').selectAll().orderBy('token_id').execute(),
    boundIp: await db.selectFrom('token_bound_ip').select(['token_id', 'address']).execute(),
    audit: await db.selectFrom('audit').select(['account_id', 'action']).execute(),
    refusal: await db.selectFrom('refusal').select(['reason', 'named_account']).execute(),
  };
}

const ROWS = {
  token: [
    { id: 1, label: 'stage', revision: 3, expires_on: null },
    { id: 2, label: 'door', revision: 1, expires_on: 1_800_000_000_000 },
  ],
  stream: [
    { token_id: 1, position: 0, stream_name: 'main', is_regex: 0 },
    { token_id: 2, position: 0, stream_name: 'ma.*', is_regex: 1 },
  ],
  boundIp: [{ token_id: 1, address: '192.0.2.1' }],
  audit: [{ account_id: 'acme', action: 'token_created' }],
  refusal: [{ reason: 'token_disabled', named_account: null }],
};

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

describe('migrations of SQLite', () => {
  const open = async (folder: string) => {
    const db = await openDatabase(folder);
    cleanup.after(() => db.destroy());
    return db;
  };
  const schemaOf = async (db: Database) => {
    const { rows } = await sql<{ sql: string }>`
      select sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by rowid`.execute(db);
    return rows.map((row) => `${row.sql}\n`).join('');
  };

  it('create the frozen schema in an empty folder', async () => {
    const db = await open(await dataFolder(cleanup));
    checkSchema(await schemaOf(db), 'schema.sqlite.txt');
  });

  it('bring a database of migration 0003 to the same schema and keep its rows', async () => {
    const folder = await dataFolder(cleanup);
    const old = new DatabaseSync(join(folder, DATABASE_FILE));
    old.exec(fixture('database-at-0003.sqlite.sql'));
    old.close();
    const db = await open(folder);
    checkSchema(await schemaOf(db), 'schema.sqlite.txt');
    assert.deepEqual(await storedRows(db), ROWS);
  });
});

describe('migrations of PostgreSQL', () => {
  const postgres = suitePostgres();

  const open = async (url: string) => {
    const db = await openDatabase('', url);
    cleanup.after(() => db.destroy());
    return db;
  };
  const schemaOf = async (db: Database) => {
    const { rows } = await sql<{ line: string }>`
      select line from (
        select format('column %s.%s %s %s default=%s identity=%s collation=%s', table_name, column_name, data_type,
          case is_nullable when 'NO' then 'not null' else 'null' end, column_default, identity_generation,
          collation_name) as line
        from information_schema.columns where table_schema = 'public'
        union all select format('constraint %s %s', conname, pg_get_constraintdef(oid))
        from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
        union all select indexdef from pg_indexes where schemaname = 'public'
        union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
        union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
      ) lines order by line collate "C"`.execute(db);
    return rows.map(({ line }) => `${line.trimEnd()}\n`).join('');
  };

  it('create the frozen schema in an empty database', async () => {
    const db = await open(await postgres.newDatabase());
    checkSchema(await schemaOf(db), 'schema.postgres.txt');
  });

  it('bring a database of migration 0003 to the same schema and keep its rows', async () => {
    const url = await postgres.newDatabase();
    await query(url, fixture('database-at-0003.postgres.sql'));
    const db = await open(url);
    checkSchema(await schemaOf(db), 'schema.postgres.txt');
    assert.deepEqual(await storedRows(db), ROWS);
  });
});

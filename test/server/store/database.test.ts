import assert from 'node:assert/strict';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { openDatabase } from '../../../server/store/database.js';
import { DataDirError } from '../../../server/store/database-errors.js';
import { openKeys } from '../../../server/store/keys/key-file.js';
import type { Database } from '../../../server/store/schema.js';
import { SqlAccountStore } from '../../../server/store/tables/sql-account-store.js';
import { SqlTokenStore } from '../../../server/store/tables/sql-token-store.js';
import { ValueSeal } from '../../../server/store/keys/value-seal.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { contractTables, expandTables } from '../../support/later-version.js';
import { aTokenRecord } from '../../support/token.js';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

describe('openDatabase', () => {
  it('creates the folder, readable by its owner only', async () => {
    const folder = join(await dataFolder(cleanup), 'a', 'b');
    await (await openDatabase(folder)).destroy();
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });

  it('syncs every commit and enforces foreign keys', async () => {
    const db = await openDatabase(await dataFolder(cleanup));
    cleanup.after(() => db.destroy());
    const pragma = async (name: string) =>
      Object.values((await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db)).rows[0]!)[0];
    assert.deepEqual(
      [await pragma('journal_mode'), await pragma('synchronous'), await pragma('foreign_keys')],
      ['wal', 2, 1],
    );
  });

  it('opens the same folder twice, and again, with its data', async () => {
    const folder = await dataFolder(cleanup);
    const [one, two] = await Promise.all([openDatabase(folder), openDatabase(folder)]);
    await new SqlAccountStore(one).create('acme');
    assert.equal((await new SqlAccountStore(two).list()).length, 1);
    await Promise.all([one.destroy(), two.destroy()]);
    const again = await openDatabase(folder);
    assert.equal((await new SqlAccountStore(again).list()).length, 1);
    await again.destroy();
  });

  it('opens up-to-date data while another process writes', async () => {
    const folder = await dataFolder(cleanup);
    await (await openDatabase(folder)).destroy();
    const other = new DatabaseSync(join(folder, 'streamgate.db'));
    cleanup.after(() => other.close());
    other.exec('begin immediate');
    await (await openDatabase(folder, undefined, { busyTimeoutMs: 0 })).destroy();
  });

  const changedBy = async (change: (db: Database) => Promise<void>) => {
    const folder = await dataFolder(cleanup);
    const db = await openDatabase(folder);
    await new SqlAccountStore(db).create('acme');
    await change(db);
    await db.destroy();
    return folder;
  };

  it('opens the data of a later version that has only expanded it', async () => {
    const db = await openDatabase(await changedBy(expandTables));
    cleanup.after(() => db.destroy());
    assert.equal((await new SqlAccountStore(db).list()).length, 1);
  });

  it('refuses the data of a later version that does not work with this one, and says what to do', async () => {
    await assert.rejects(
      openDatabase(await changedBy(contractTables)),
      (error) => error instanceof DataDirError && /9999_later.* start the later version here too/.test(error.message),
    );
  });

  it('names the folder that cannot be used', async () => {
    const file = join(await dataFolder(cleanup), 'file');
    await writeFile(file, '');
    await assert.rejects(openDatabase(file), (error) => error instanceof DataDirError && error.message.includes(file));
  });

  it('stores no readable token value, and opens none with another key', async () => {
    const folder = await dataFolder(cleanup);
    const db = await openDatabase(folder);
    cleanup.after(() => db.destroy());
    await new SqlAccountStore(db).create('acme');
    const token = 'cd'.repeat(32);
    await new SqlTokenStore(db, new ValueSeal(openKeys(folder).sealKey)).create(aTokenRecord({ token }));

    for (const name of await readdir(folder)) {
      assert.ok(!(await readFile(join(folder, name))).includes(token), name);
    }
    const stranger = new SqlTokenStore(db, new ValueSeal(openKeys(folder, new Uint8Array(32)).sealKey));
    assert.equal((await stranger.get({ accountId: 'acme', kind: 'subscribe' }, 1))?.token, '');
  });
});

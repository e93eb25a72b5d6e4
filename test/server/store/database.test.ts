import assert from 'node:assert/strict';
import { chmod, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../../server/store/database.js';
import { DataDirError } from '../../../server/store/database-errors.js';
import { exposedKeyFile, openKeys } from '../../../server/store/keys/key-file.js';
import { SqlAccountStore } from '../../../server/store/tables/sql-account-store.js';
import { SqlTokenStore } from '../../../server/store/tables/sql-token-store.js';
import { ValueSeal } from '../../../server/store/keys/value-seal.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { aTokenRecord } from '../../support/token.js';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

describe('openDatabase', () => {
  it('makes the folder, readable to its owner only', async () => {
    const folder = join(await dataFolder(cleanup), 'a', 'b');
    await (await openDatabase(folder)).destroy();
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });

  it('syncs every commit and keeps foreign keys', async () => {
    const db = await openDatabase(await dataFolder(cleanup));
    cleanup.after(() => db.destroy());
    const pragma = async (name: string) =>
      Object.values((await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db)).rows[0]!)[0];
    assert.deepEqual(
      [await pragma('journal_mode'), await pragma('synchronous'), await pragma('foreign_keys')],
      ['wal', 2, 1],
    );
  });

  it('opens the same folder again, and beside itself, with what is in it', async () => {
    const folder = await dataFolder(cleanup);
    const [one, two] = await Promise.all([openDatabase(folder), openDatabase(folder)]);
    await new SqlAccountStore(one).create('acme');
    assert.equal((await new SqlAccountStore(two).list()).length, 1);
    await Promise.all([one.destroy(), two.destroy()]);
    const again = await openDatabase(folder);
    assert.equal((await new SqlAccountStore(again).list()).length, 1);
    await again.destroy();
  });

  it('says which folder cannot be used', async () => {
    const file = join(await dataFolder(cleanup), 'file');
    await writeFile(file, '');
    await assert.rejects(openDatabase(file), (error) => error instanceof DataDirError && error.message.includes(file));
  });

  it('leaves no token value readable in the folder, and opens none with another key', async () => {
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

describe('openKeys', () => {
  const exported = ({ sealKey, grantKey }: ReturnType<typeof openKeys>) =>
    [sealKey, grantKey].map((key) => key.export().toString('hex'));

  it('makes a key on first use, readable to its owner only, and keeps it', async () => {
    const folder = join(await dataFolder(cleanup), 'new');
    const keys = openKeys(folder);
    assert.deepEqual(exported(openKeys(folder)), exported(keys));
    assert.equal((await stat(join(folder, 'master.key'))).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(folder), ['master.key']);
  });

  it('gives each purpose another key, and each folder', async () => {
    const [one, two] = [openKeys(await dataFolder(cleanup)), openKeys(await dataFolder(cleanup))];
    assert.equal(new Set([...exported(one), ...exported(two)]).size, 4);
  });

  it('takes a key from elsewhere and then writes none', async () => {
    const folder = await dataFolder(cleanup);
    const key = new Uint8Array(32).fill(7);
    assert.deepEqual(exported(openKeys(folder, key)), exported(openKeys('/nowhere', key)));
    assert.deepEqual(await readdir(folder), []);
  });

  it('makes no key for a folder whose tokens open with another one', async () => {
    const folder = await dataFolder(cleanup);
    assert.throws(
      () => openKeys(folder, undefined, { mayMakeKey: false }),
      /master\.key cannot be used: it is missing/,
    );
    assert.deepEqual(await readdir(folder), []);
  });

  it('refuses a key file of the wrong size, and leaves it as it is', async () => {
    const folder = await dataFolder(cleanup);
    const file = join(folder, 'master.key');
    await writeFile(file, 'short');
    await chmod(file, 0o600);
    assert.throws(() => openKeys(folder), DataDirError);
    assert.equal(await readFile(file, 'utf8'), 'short');
  });
});

describe('exposedKeyFile', () => {
  it('tells a key file that others can use, and how', async () => {
    const folder = await dataFolder(cleanup);
    assert.equal(exposedKeyFile(folder), undefined);
    openKeys(folder);
    assert.equal(exposedKeyFile(folder), undefined);
    const path = join(folder, 'master.key');
    for (const mode of [0o644, 0o640, 0o604, 0o660]) {
      await chmod(path, mode);
      assert.deepEqual(exposedKeyFile(folder), { file: path, mode: `0${mode.toString(8)}` });
    }
    await chmod(path, 0o400);
    assert.equal(exposedKeyFile(folder), undefined);
  });
});

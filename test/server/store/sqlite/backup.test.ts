import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { backupDatabase } from '../../../../server/store/sqlite/backup.js';
import { openDatabase } from '../../../../server/store/database.js';
import { NoDataError } from '../../../../server/store/database-errors.js';
import { openKeys } from '../../../../server/store/keys/key-file.js';
import { SqlAccountStore } from '../../../../server/store/tables/sql-account-store.js';
import { SqlTokenStore } from '../../../../server/store/tables/sql-token-store.js';
import { ValueSeal } from '../../../../server/store/keys/value-seal.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { aTokenRecord } from '../../../support/token.js';

describe('backupDatabase', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const key = randomBytes(32);
  const opened = async (folder: string) => {
    const db = await openDatabase(folder);
    cleanup.after(() => db.destroy());
    return { db, store: new SqlTokenStore(db, new ValueSeal(openKeys(folder, key).sealKey)) };
  };
  const countOf = async (store: SqlTokenStore) => {
    let count = 0;
    for await (const _token of store.all()) count += 1;
    return count;
  };

  it('contains everything that was written before, while the database is in use', async () => {
    const [folder, restored] = [await dataFolder(cleanup), await dataFolder(cleanup)];
    const { db, store } = await opened(folder);
    await new SqlAccountStore(db).create('acme');
    for (let index = 0; index < 50; index += 1) await store.create(aTokenRecord({ token: `value-${index}` }));

    const file = join(restored, 'streamgate.db');
    backupDatabase(folder, file);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await store.create(aTokenRecord({ token: 'later' }));
    assert.equal(await countOf((await opened(restored)).store), 50);
    assert.equal(await countOf(store), 51);
  });

  it('overwrites no file', async () => {
    const folder = await dataFolder(cleanup);
    await opened(folder);
    const file = join(folder, 'backup.db');
    await writeFile(file, 'older');
    const faults = { name: 'BackupError', message: /the file exists.*Choose another name$/ };
    assert.throws(() => backupDatabase(folder, file), faults);
    assert.equal((await stat(file)).size, 5);
  });

  it('leaves no file if there is nothing to back up', async () => {
    const folder = join(await dataFolder(cleanup), 'empty');
    await mkdir(folder);
    assert.throws(() => backupDatabase(folder, join(folder, 'backup.db')), NoDataError);
    assert.deepEqual(await readdir(folder), []);
  });
});

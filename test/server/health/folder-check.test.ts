import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { databaseFileCheck } from '../../../server/health/database-file-check.js';
import { folderCheck } from '../../../server/health/folder-check.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { canMount, smallDisk } from '../../support/small-disk.js';

describe('the check of a folder', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const full = { level: 'problem', code: 'disk_full', message: 'full' } as const;
  const checkOf = (folder: string) => folderCheck({ component: 'data_folder', folder, onFull: () => full });

  it('finds nothing while it can write', async () => {
    assert.equal(await checkOf(await dataFolder(cleanup)).check(), undefined);
  });

  it('finds a folder that is gone, and names no path', async () => {
    const folder = await dataFolder(cleanup);
    await rm(folder, { recursive: true });
    const finding = await checkOf(folder).check();
    assert.equal(finding?.code, 'disk_failed');
    assert.match(finding.message, /data_folder.*ENOENT/);
    assert.ok(!finding.message.includes(folder));
  });

  it('finds a full disk, and its end', { skip: !canMount() && 'needs a mount' }, async () => {
    const disk = smallDisk(cleanup, 1);
    const { check } = checkOf(disk.folder);
    assert.equal(await check(), undefined);
    disk.fill();
    assert.equal(await check(), full);
    disk.empty();
    assert.equal(await check(), undefined);
  });
});

describe('the check of the file of a database', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('finds a file that was replaced or removed', async () => {
    const folder = await dataFolder(cleanup);
    const file = join(folder, 'some.db');
    await writeFile(file, 'one');
    const { check } = databaseFileCheck(folder, 'some.db');
    assert.equal(await check(), undefined);
    await writeFile(file, 'two');
    assert.equal(await check(), undefined, 'a file that was written is the same');
    await rm(file);
    assert.equal((await check())?.code, 'database_replaced');
    await writeFile(join(folder, 'kept.db'), 'keeps the number of the file in use');
    await writeFile(file, 'three');
    assert.equal((await check())?.code, 'database_replaced');
  });
});

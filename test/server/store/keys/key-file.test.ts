import assert from 'node:assert/strict';
import { chmod, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { DataDirError } from '../../../../server/store/database-errors.js';
import { exposedKeyFile, openKeys } from '../../../../server/store/keys/key-file.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

describe('openKeys', () => {
  const exported = ({ sealKey, grantKey }: ReturnType<typeof openKeys>) =>
    [sealKey, grantKey].map((key) => key.export().toString('hex'));

  it('creates a key on first use, readable by its owner only, and keeps it', async () => {
    const folder = join(await dataFolder(cleanup), 'new');
    const keys = openKeys(folder);
    assert.deepEqual(exported(openKeys(folder)), exported(keys));
    assert.equal((await stat(join(folder, 'master.key'))).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(folder), ['master.key']);
  });

  it('derives a different key for each purpose and each folder', async () => {
    const [one, two] = [openKeys(await dataFolder(cleanup)), openKeys(await dataFolder(cleanup))];
    assert.equal(new Set([...exported(one), ...exported(two)]).size, 4);
  });

  it('uses a given key without writing a file', async () => {
    const folder = await dataFolder(cleanup);
    const key = new Uint8Array(32).fill(7);
    assert.deepEqual(exported(openKeys(folder, key)), exported(openKeys('/nowhere', key)));
    assert.deepEqual(await readdir(folder), []);
  });

  it('creates no key for a folder that has tokens', async () => {
    const folder = await dataFolder(cleanup);
    assert.throws(
      () => openKeys(folder, undefined, { mayMakeKey: false }),
      /master\.key cannot be used: it is missing/,
    );
    assert.deepEqual(await readdir(folder), []);
  });

  it('refuses a key file of the wrong size, and keeps it', async () => {
    const folder = await dataFolder(cleanup);
    const file = join(folder, 'master.key');
    await writeFile(file, 'short');
    await chmod(file, 0o600);
    assert.throws(() => openKeys(folder), DataDirError);
    assert.equal(await readFile(file, 'utf8'), 'short');
  });
});

describe('exposedKeyFile', () => {
  it('reports a key file that other users can use, and its mode', async () => {
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

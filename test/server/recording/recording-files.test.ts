import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { RecordingFiles } from '../../../server/recording/recording-files.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';

describe('the folder of recordings', () => {
  const cleanup = new Cleanup();
  let root: string;
  beforeEach(async () => (root = await dataFolder(cleanup)));
  afterEach(() => cleanup.run());

  it('keeps its name in the database from one start to the next', async () => {
    const { nodeId } = await RecordingFiles.open(root);
    assert.equal((await RecordingFiles.open(root)).nodeId, nodeId);
    assert.equal(await readFile(join(root, '.node'), 'utf8'), `${nodeId}\n`);
  });

  it('gets a name if the first start could not write one', async () => {
    await writeFile(join(root, '.node'), '');
    assert.match((await RecordingFiles.open(root)).nodeId, /^[0-9a-f]{32}$/);
  });

  it('gets no other name if its own is damaged: what is recorded in it would belong to nobody, and be removed', async () => {
    await writeFile(join(root, '.node'), 'damaged');
    await assert.rejects(RecordingFiles.open(root), {
      message: 'the file .node of the folder of recordings is damaged',
    });
    assert.equal(await readFile(join(root, '.node'), 'utf8'), 'damaged');
  });
});

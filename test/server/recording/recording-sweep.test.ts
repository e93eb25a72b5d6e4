import assert from 'node:assert/strict';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { RecordingFiles } from '../../../server/recording/recording-files.js';
import { RecordingSweep } from '../../../server/recording/recording-sweep.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { RECORDED_ON, recordingIdOf } from '../../support/recording.js';

const DAY_MS = 86_400_000;
const NOW = RECORDED_ON + 30 * DAY_MS;

describe('RecordingSweep', () => {
  const cleanup = new Cleanup();
  let files: RecordingFiles;
  let known: Set<string>;
  let asked: number[];

  beforeEach(async () => {
    files = await RecordingFiles.open(await dataFolder(cleanup));
    known = new Set();
    asked = [];
  });
  afterEach(() => cleanup.run());

  const sweep = (signal = new AbortController().signal) =>
    new RecordingSweep(files, {
      ofServer: async (nodeId, ids) => {
        assert.equal(nodeId, files.nodeId);
        asked.push(ids.length);
        return new Set(ids.filter((id) => known.has(id)));
      },
    }).run(NOW, signal);
  /** The folder of a recording that was last written to before so many days. */
  const aFolder = (number: number, days: number): string => {
    const folder = files.folderOf({ accountId: 'acme', id: recordingIdOf(number) });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'recording.mp4'), 'media');
    utimesSync(folder, (NOW - days * DAY_MS) / 1_000, (NOW - days * DAY_MS) / 1_000);
    return folder;
  };

  it('removes the folders of recordings that are not of this server any more, when nothing was written for seven days', async () => {
    const [unknown, existing, young] = [aFolder(1, 8), aFolder(2, 8), aFolder(3, 6)];
    known.add(recordingIdOf(2));
    await sweep();
    assert.deepEqual([unknown, existing, young].map(existsSync), [false, true, true]);
  });

  it('removes nothing that is no folder of a recording', async () => {
    const account = join(aFolder(1, 8), '..');
    const others = [join(files.root, 'notes'), join(account, 'notes'), join(files.root, '.node')];
    for (const other of others.slice(0, 2)) {
      mkdirSync(other);
      utimesSync(other, 1, 1);
    }
    await sweep();
    assert.deepEqual(others.map(existsSync), [true, true, true]);
  });

  it('asks for many at once', async () => {
    for (let number = 1; number <= 401; number++) aFolder(number, 8);
    await sweep();
    assert.deepEqual(asked, [200, 200, 1]);
  });

  it('removes nothing when the server stops, or when the database does not answer', async () => {
    const folder = aFolder(1, 8);
    await sweep(AbortSignal.abort());
    const failing = new RecordingSweep(files, { ofServer: () => Promise.reject(new Error('away')) });
    await assert.rejects(failing.run(NOW, new AbortController().signal), /away/);
    assert.equal(existsSync(folder), true);
  });
});

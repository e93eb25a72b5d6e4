import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { after, afterEach, before, describe, it } from 'node:test';
import { processSandbox } from '../../../../server/process-sandbox.js';
import { PackagerProcess } from '../../../../server/recording/packager/packager-process.js';
import type { PartGroup } from '../../../../server/recording/recorder.js';
import type { ProcessLogEntry } from '../../../../server/recording/supervised-process.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { until } from '../../../support/media/until.js';
import { decodeFile } from '../../../support/recording/decode-file.js';
import { inOrder, soundFrames, videoFrames } from '../../../support/recording/encoded-media.js';
import { recordFrames } from '../../../support/recording/record-frames.js';
import { canMount, smallDisk } from '../../../support/small-disk.js';

const STARTS_AT = 1_700_000_000_000;

describe('the process of the packager', () => {
  const fixture = new Cleanup();
  const cleanup = new Cleanup();
  let part: { readonly file: string; readonly startsAt: number };
  let groups: readonly PartGroup[];
  let packager: PackagerProcess;
  let log: ProcessLogEntry[];

  before(async () => {
    const frames = inOrder(STARTS_AT, await videoFrames({ codec: 'h264', seconds: 6 }), await soundFrames(6));
    const tracks = { video: { codec: 'h264' }, audio: { codec: 'opus' } } as const;
    const folder = await dataFolder(fixture);
    const recorded = await recordFrames(folder, frames, tracks);
    part = { file: recorded.start.file, startsAt: STARTS_AT };
    groups = recorded.groups;
    log = [];
    const sandbox = processSandbox({ folders: [tmpdir(), dirname(folder)] });
    packager = new PackagerProcess({ sandbox, onLog: (entry) => log.push(entry) });
    fixture.after(() => packager.close());
  });
  afterEach(() => cleanup.run());
  after(() => fixture.run());

  const runsAgain = (starts: number) =>
    until(
      'it runs again',
      () => log.filter(({ message }) => message === 'the packager is running').length === starts,
      30_000,
    );

  it('answers calls that are made at once, each with its own result', async () => {
    const folder = await dataFolder(cleanup);
    const [{ position: from }, { position: to, timestampMs: endMs }] = [groups[0]!, groups[1]!];
    const range = { part, from, to, keyframeAt: undefined, black: undefined, endMs };
    const [index, finished, init, segment] = await Promise.all([
      packager.readPart(part.file),
      packager.finish([part], join(folder, 'recording')),
      packager.initSegment(part, from),
      packager.segment(range, STARTS_AT),
    ]);
    assert.deepEqual(index.groups, groups);
    assert.deepEqual([finished.container, (await decodeFile(finished.file)).errors], ['mp4', '']);
    assert.deepEqual([init.toString('latin1', 4, 8), segment.includes('moof')], ['ftyp', true]);
  });

  it('starts with the first call, and starts no more when it is closed', async () => {
    const other = new PackagerProcess({ onLog: () => {} });
    cleanup.after(() => other.close());
    assert.equal(other.pid, undefined);
    assert.deepEqual((await other.readPart(part.file)).groups, groups);
    assert.notEqual(other.pid, undefined);
    await other.close();
    await assert.rejects(other.readPart(part.file), { name: 'PackagerError', reason: 'unavailable' });
    assert.equal(other.pid, undefined);
  });

  it('says that a file cannot be read, and why', async () => {
    const folder = await dataFolder(cleanup);
    await assert.rejects(packager.readPart(join(folder, 'missing.mkv')), {
      name: 'PackagerError',
      reason: 'unreadable',
      message: /cannot be opened/,
    });
    await assert.rejects(packager.readPart(folder), { name: 'PackagerError', reason: 'disk_failed' });
    const missing = join(folder, 'missing', 'recording');
    await assert.rejects(packager.finish([part], missing), { name: 'PackagerError', reason: 'disk_failed' });
  });

  if (canMount()) {
    it('leaves nothing of a file that does not fit on the disk', async () => {
      const disk = smallDisk(cleanup, 1);
      disk.fill();
      await assert.rejects(packager.finish([part], join(disk.folder, 'recording')), { reason: 'disk_full' });
      assert.deepEqual(readdirSync(disk.folder), ['filler']);
      disk.empty();
      assert.equal((await packager.finish([part], join(disk.folder, 'recording'))).container, 'mp4');
    });
  }

  it('refuses what waits when it is killed, and runs again', async () => {
    const folder = await dataFolder(cleanup);
    const { pid } = packager;
    process.kill(pid!, 'SIGSTOP');
    const calls = [packager.readPart(part.file), packager.finish([part], join(folder, 'recording'))];
    const refused = Promise.all(
      calls.map((call) => assert.rejects(call, { name: 'PackagerError', reason: 'unavailable' })),
    );
    process.kill(pid!, 'SIGKILL');
    await refused;
    // A call now waits until it runs.
    assert.deepEqual((await packager.readPart(part.file)).groups, groups);
    await runsAgain(2);
    assert.notEqual(packager.pid, pid);
    const { file } = await packager.finish([part], join(folder, 'recording'));
    assert.equal((await decodeFile(file)).errors, '');
    assert.deepEqual(readdirSync(folder), ['recording.mp4']);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { after, before, afterEach, describe, it } from 'node:test';
import { forkModule } from '../../../../server/child-process.js';
import { finish } from '../../../../server/recording/packager/finish.js';
import { readPart } from '../../../../server/recording/packager/read-part.js';
import type { ProcessLogEntry } from '../../../../server/recording/supervised-process.js';
import { RecorderProcess } from '../../../../server/recording/recorder/recorder-process.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { until } from '../../../support/media/until.js';
import { decodeFile } from '../../../support/recording/decode-file.js';
import { inOrder, soundFrames, videoFrames } from '../../../support/recording/encoded-media.js';
import {
  ObservedRecorder,
  REPLAY_RECORDER,
  replayedFile,
  writeReplay,
} from '../../../support/recording/recorder-with-replay.js';
import { aPartOrder } from '../../../support/recording/record-frames.js';
import { canMount, smallDisk } from '../../../support/small-disk.js';

const fixture = new Cleanup();
const cleanup = new Cleanup();
afterEach(() => cleanup.run());
after(() => fixture.run());

let replay: string;
before(async () => {
  replay = join(await dataFolder(fixture), 'replay');
  // A keyframe each ten seconds, as encoders send them that cannot be asked.
  const video = await videoFrames({ codec: 'h264', seconds: 10, keyframeEvery: 300 });
  const frames = inOrder(0, video, await soundFrames(10));
  writeReplay(replay, { video: { codec: 'h264' }, audio: { codec: 'opus' } }, frames, 10_100);
});

function aRecorder(onLog?: (entry: ProcessLogEntry) => void) {
  const observed = new ObservedRecorder(onLog);
  cleanup.after(() => observed.recorder.close());
  return observed;
}

const anOrder = (folder: string, partId = 'part') =>
  aPartOrder(folder, { partId, path: join(folder, partId), tap: { path: replay } });

const hasMs = (observed: ObservedRecorder, ms: number, partId = 'part') =>
  until(`${ms} ms are recorded`, () => (observed.progress.get(partId)?.durationMs ?? 0) >= ms);

describe('the process of the recorder', () => {
  it('writes several parts, and completes them when it is closed', async () => {
    const folder = await dataFolder(cleanup);
    const observed = aRecorder();
    observed.recorder.start(anOrder(folder, 'first'));
    observed.recorder.start(anOrder(folder, 'second'));
    await hasMs(observed, 500, 'first');
    observed.recorder.stop('first');
    await until('the first part ended', () => observed.ended.has('first'));
    await hasMs(observed, 1_000, 'second');
    await observed.recorder.close();
    for (const [partId, least] of [
      ['first', 15],
      ['second', 30],
    ] as const) {
      const { reason, bytes } = observed.ended.get(partId)!;
      const { errors, video } = await decodeFile(observed.started.get(partId)!.file);
      assert.deepEqual([reason, bytes > 0, errors, video.length >= least], ['stopped', true, '', true]);
    }
  });

  it('writes nothing where less of the disk is free than recordings leave, and says that it is full', async () => {
    const observed = new ObservedRecorder(() => {}, Number.MAX_SAFE_INTEGER);
    cleanup.after(() => observed.recorder.close());
    observed.recorder.start(anOrder(await dataFolder(cleanup)));
    await until('the part ended', () => observed.ended.has('part'));
    const { reason, bytes } = observed.ended.get('part')!;
    assert.deepEqual([reason, bytes], ['disk_full', 0]);
  });

  it('leaves the processor to what is live', async () => {
    const observed = aRecorder();
    observed.recorder.start(anOrder(await dataFolder(cleanup)));
    await until('it runs', () => observed.recorder.isReady);
    // Also if the tests themselves leave it to others, a server does not.
    assert.ok(getPriority(observed.recorder.pid!) > 0);
  });

  it('loses less than two seconds when it is killed at any time, and is started again', async () => {
    await Promise.all([130, 610, 1_470].map(killedAfter));
  });

  /** @param ms since a second was recorded */
  async function killedAfter(ms: number): Promise<void> {
    const folder = await dataFolder(cleanup);
    const log: ProcessLogEntry[] = [];
    const observed = aRecorder((entry) => log.push(entry));
    observed.recorder.start(anOrder(folder));
    await hasMs(observed, 1_000);
    const { pid } = observed.recorder;
    await delay(ms);
    // Until it runs again, a part waits; one that is stopped meanwhile never begins.
    observed.recorder.once('ended', () => {
      for (const name of ['early', 'stopped']) observed.recorder.start(anOrder(folder, name));
      observed.recorder.stop('stopped');
    });
    process.kill(pid!, 'SIGKILL');
    await until('the part ended', () => observed.ended.has('part'));
    assert.equal(observed.ended.get('part')!.reason, 'recorder_lost');
    const { file, startsAt } = observed.started.get('part')!;
    const { durationMs, bytes } = await readPart(file);
    const lostMs = Number(readFileSync(replayedFile(replay, pid!), 'utf8')) - durationMs;
    assert.ok(lostMs < 2_000, `${lostMs} ms are lost`);
    assert.ok(bytes >= observed.ended.get('part')!.bytes, 'what was reported as written is there');
    const finished = await finish([{ file, startsAt }], join(folder, 'finished'));
    const { errors, video } = await decodeFile(finished.file);
    assert.deepEqual([errors, video.length > 25], ['', true]);
    await hasMs(observed, 500, 'early');
    observed.recorder.stop('early');
    await until('the early part ended', () => observed.ended.has('early'));
    for (const name of ['early', 'stopped']) assert.deepEqual(observed.ended.get(name)!.reason, 'stopped');
    assert.equal(observed.started.has('stopped'), false);
    await until('it runs again', () => log.filter(({ message }) => message === 'the recorder is running').length === 2);
    assert.notEqual(observed.recorder.pid, pid);
  }

  it('completes its files and ends by itself when its parent is gone', async () => {
    const folder = await dataFolder(cleanup);
    const child = forkModule(REPLAY_RECORDER, { serialization: 'advanced' });
    cleanup.after(() => child.kill('SIGKILL'));
    await once(child, 'message');
    child.send({ type: 'start', order: anOrder(folder) });
    let durationMs = 0;
    child.on(
      'message',
      (message: { type: string; progress?: { durationMs: number } }) =>
        (durationMs = message.progress?.durationMs ?? durationMs),
    );
    await until('half a second is recorded', () => durationMs >= 500);
    child.disconnect();
    const [code, signal] = await once(child, 'exit');
    assert.deepEqual([code, signal], [0, null]);
    const { errors, video } = await decodeFile(join(folder, 'part.mkv'));
    assert.deepEqual([errors, video.length >= 15], ['', true]);
  });

  it('starts with the first part, which waits for it', async () => {
    const log: ProcessLogEntry[] = [];
    const { recorder, started } = aRecorder((entry) => log.push(entry));
    assert.deepEqual([recorder.pid, log], [undefined, []]);
    recorder.start(anOrder(await dataFolder(cleanup)));
    await until('the part began', () => started.has('part'));
    assert.deepEqual(
      log.map(({ message, pid }) => [message, pid]),
      [['the recorder is running', recorder.pid]],
    );
  });

  it('starts no process for a part after it was closed', async () => {
    const { recorder, ended } = aRecorder();
    await recorder.close();
    recorder.start(anOrder(await dataFolder(cleanup)));
    await until('the part ended', () => ended.has('part'));
    assert.deepEqual([ended.get('part')!.reason, recorder.pid], ['stopped', undefined]);
  });

  it('is started again if it cannot be started, and ends parts that wait when they are stopped', async () => {
    const file = fileURLToPath(new URL('no-such-recorder.ts', import.meta.url));
    const log: ProcessLogEntry[] = [];
    const recorder = new RecorderProcess({ onLog: (entry) => log.push(entry), file });
    cleanup.after(() => recorder.close());
    const reasons: string[] = [];
    recorder.on('ended', ({ reason }) => reasons.push(reason));
    recorder.start(anOrder(await dataFolder(cleanup)));
    await until('it was started twice', () => log.length >= 2);
    assert.deepEqual([log[1]!.level, log[1]!.message], ['error', 'the recorder died and is started again']);
    assert.deepEqual(reasons, []);
    recorder.stop('part');
    await until('the part ended', () => reasons.length > 0);
    assert.deepEqual(reasons, ['stopped']);
  });

  it('ends a part whose folder is missing, and goes on with others', async () => {
    const folder = await dataFolder(cleanup);
    const observed = aRecorder();
    observed.recorder.start(anOrder(join(folder, 'missing'), 'bad'));
    observed.recorder.start(anOrder(folder, 'good'));
    await until('the bad part ended', () => observed.ended.has('bad'));
    const { reason, detail, bytes } = observed.ended.get('bad')!;
    assert.deepEqual([reason, bytes], ['disk_failed', 0]);
    assert.match(detail!, /ENOENT/);
    await hasMs(observed, 500, 'good');
  });

  if (canMount()) {
    it('keeps what it wrote before the disk was full', async () => {
      const disk = smallDisk(cleanup, 1);
      const observed = aRecorder();
      observed.recorder.start(anOrder(disk.folder));
      await hasMs(observed, 1_500);
      disk.fill();
      await until('the part ended', () => observed.ended.has('part'));
      const { reason, detail, durationMs } = observed.ended.get('part')!;
      assert.deepEqual([reason, durationMs >= 1_500], ['disk_full', true]);
      assert.match(detail!, /ENOSPC/);
      const { errors, video } = await decodeFile(observed.started.get('part')!.file);
      assert.deepEqual([errors, video.length >= 45], ['', true]);
    });
  }
});

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import type { MediaEngineEvents } from '../../../server/media/engine/media-engine.js';
import { PARTS_KEPT_MS } from '../../../server/recording/finish/recording-completion.js';
import { RecordingFiles } from '../../../server/recording/recording-files.js';
import { RecordingQuota } from '../../../server/recording/recording-quota.js';
import { recordingKey, type RecordingRecord } from '../../../server/recording/recording-record.js';
import { RecordingService } from '../../../server/recording/recording-service.js';
import { TAIL_EVERY_MS } from '../../../server/recording/storage/part-copies.js';
import { PIECE_BYTES, S3Storage } from '../../../server/recording/storage/s3-storage.js';
import { openDatabase } from '../../../server/store/database.js';
import { SqlAccountStore } from '../../../server/store/tables/sql-account-store.js';
import { SqlRecordingStore } from '../../../server/store/tables/sql-recording-store.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { until } from '../../support/media/until.js';
import { RECORDED_ON } from '../../support/recording.js';
import { FakePackager, FakeRecorder, TestTimers } from '../../support/recording-fakes.js';
import { s3Gate, type S3Gate } from '../../support/s3-gate.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const SILENT_MS = 2 * 60_000;
const NOT_COPIED = 'a piece of a recording was not copied to S3: it is in the folder';

/** A server that records, with timers of its own: it is killed when they stand still. */
interface RecordingNode {
  readonly service: RecordingService;
  readonly recorder: FakeRecorder;
  readonly packager: FakePackager;
  readonly files: RecordingFiles;
  readonly timers: TestTimers;
  readonly lines: string[];
  /** Its publisher goes live. */
  live(): Promise<void>;
  /** More is written to the part, in this time. */
  write(bytes: number, ms: number): void;
}

describe('a recording of a server that is lost', () => {
  const cleanup = new Cleanup();
  let gate: S3Gate;
  let storage: S3Storage;
  let store: SqlRecordingStore;
  let lost: RecordingNode;
  let other: RecordingNode;

  beforeEach(async () => {
    gate = await s3Gate(cleanup);
    storage = new S3Storage(gate.options);
    const db = await openDatabase(await dataFolder(cleanup));
    cleanup.after(() => db.destroy());
    await new SqlAccountStore(db).create('acme');
    store = new SqlRecordingStore(db);
    lost = await start();
    other = await start();
  });
  afterEach(() => cleanup.run());

  const start = async (root?: string): Promise<RecordingNode> => {
    const files = await RecordingFiles.open(root ?? (await dataFolder(cleanup)));
    const [recorder, packager, timers] = [new FakeRecorder(), new FakePackager(), new TestTimers(RECORDED_ON)];
    const engine = Object.assign(new EventEmitter<MediaEngineEvents>(), { tapAddress: () => ({ path: '/tap' }) });
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
    let isLive = false;
    const service = new RecordingService({
      engine: engine as never,
      streams: { publisherOf: () => (isLive ? { tokenId: 7, codec: undefined, isLive: true } : undefined) },
      tokenRecords: () => true,
      tokenRetentionDays: () => null,
      recorder,
      packager,
      store,
      files,
      quota: new RecordingQuota(store, log),
      s3: storage,
      leaseMs: 10_000,
      startTimer: timers.startTimer,
      now: () => timers.now,
      log,
    });
    cleanup.after(() => service.close());
    await service.recover();
    return {
      service,
      recorder,
      packager,
      files,
      timers,
      lines,
      async live() {
        isLive = true;
        engine.emit('live', 'acme/main', null, ['audio', 'video']);
        await until('a part is ordered', () => recorder.orders.length > 0);
        recorder.begin(timers.now);
        await until('the part is saved', async () => (await listed())[0]?.parts.length === 1);
      },
      write(bytes, ms) {
        timers.now += ms;
        recorder.write(bytes, ms);
      },
    };
  };
  const listed = async () => (await store.list('acme', { page: 1, itemsOnPage: 100 })).recordings;
  const only = async (): Promise<RecordingRecord> => (await listed())[0]!;
  const inState = (state: RecordingRecord['state']) =>
    until(`it is ${state}`, async () => (await only()).state === state);
  const inS3 = () => until('it is in S3', async () => (await only()).location === 's3');
  const takeOver = async (by = other) => await by.service.finishNow(await only(), true);
  /** What S3 has of it beside its file: the S3 of the tests lists nothing. */
  const hasCopy = async ({ parts }: RecordingRecord): Promise<boolean> => {
    const { backup } = parts[0]!;
    const tail = await storage.readTail(backup!, backup!.etags.length * PIECE_BYTES);
    return tail.length > 0 || (await storage.size(backup!.key)) !== undefined;
  };
  /** The end of a part is copied ten seconds after what was copied before. */
  const copied = (bytes: number) =>
    until('it is copied', async () => {
      lost.write(0, TAIL_EVERY_MS);
      const { backup } = (await only()).parts[0]!;
      if (backup?.etags.length !== Math.floor(bytes / PIECE_BYTES)) return false;
      const piecesEnd = backup.etags.length * PIECE_BYTES;
      // The S3 of the tests breaks off the read of a file that is being written.
      const tail = await storage.readTail(backup, piecesEnd).catch(() => undefined);
      return tail?.length === bytes - piecesEnd;
    });
  /** The lost server records this much, copies it, and is silent from now on. @returns the recording, with its copy */
  const recordAndLose = async (bytes: number, uncopied = 0): Promise<RecordingRecord> => {
    await lost.live();
    lost.write(bytes, TAIL_EVERY_MS);
    await copied(bytes);
    gate.state = 'away';
    if (uncopied > 0) lost.write(uncopied, TAIL_EVERY_MS);
    await until('nothing is being copied', () => uncopied === 0 || lost.lines.includes(NOT_COPIED));
    gate.state = 'open';
    await store.noteRunning(lost.files.nodeId, lost.timers.now);
    other.timers.now = lost.timers.now + SILENT_MS;
    return await only();
  };

  for (const [what, bytes] of [
    ['a few seconds', 5_000],
    ['pieces', 2 * PIECE_BYTES],
    ['pieces and an end', PIECE_BYTES + 5_000],
  ] as const) {
    it(`of ${what} is made ready by another one from its copy, which is removed then`, async () => {
      const before = await recordAndLose(bytes, 700);
      await takeOver();
      await inS3();
      const taken = await only();
      assert.deepEqual(
        [taken.state, taken.fault, taken.bytes, taken.nodeId],
        ['ready', 'recorder_lost', bytes, other.files.nodeId],
      );
      assert.equal(await storage.size(recordingKey(taken)), bytes);
      await until('the parts are removed', async () => (await only()).parts.length === 0);
      assert.equal(await hasCopy(before), false);
      assert.equal(existsSync(other.files.folderOf(taken)), false);
    });
  }

  it('has everything, and no fault, if it was over and its server was lost before the file was in S3', async () => {
    await recordAndLose(5_000);
    lost.recorder.end('source_ended');
    const before = await only();
    await store.save({ ...before, state: 'ready', container: 'mp4', fault: null });
    await takeOver();
    await inS3();
    assert.deepEqual([(await only()).fault, (await only()).bytes], [null, 5_000]);
  });

  it('gives a clip from its file in S3, by any server', async () => {
    await recordAndLose(5_000);
    await takeOver();
    await inS3();
    const source = await only();
    const third = await start();
    const clip = await third.service.clips.ofRecording(source, { start: 1, length: 2 });
    await until('the clip is in S3', async () => (await store.findAny(clip.id))?.location === 's3');
    const ready = (await store.findAny(clip.id))!;
    assert.deepEqual([ready.state, ready.bytes, ready.fault, ready.nodeId], ['ready', 5_000, null, third.files.nodeId]);
    assert.deepEqual(third.packager.calls.at(-1)?.range, { from: RECORDED_ON + 1_000, to: RECORDED_ON + 3_000 });
    assert.equal(await storage.size(recordingKey(source)), source.bytes);
  });

  it('is not taken over while its server was running within two minutes', async () => {
    await recordAndLose(5_000);
    other.timers.now -= 1;
    await assert.rejects(takeOver(), { code: 'recording_in_progress' });
    assert.equal((await only()).nodeId, lost.files.nodeId);
  });

  it('is not taken over by a second server while the first makes its file', async () => {
    await recordAndLose(5_000);
    const third = await start();
    third.timers.now = other.timers.now;
    other.packager.failure = new Error('the disk is slow');
    await store.noteRunning(other.files.nodeId, other.timers.now);
    const record = await only();
    const results = await Promise.allSettled([other, third].map(({ service }) => service.finishNow(record, true)));
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    await store.noteRunning((await only()).nodeId, other.timers.now);
    await assert.rejects(takeOver(third.files.nodeId === (await only()).nodeId ? other : third), {
      code: 'recording_in_progress',
    });
  });

  it('is finished at the next start of the server that took it over, if that one was killed meanwhile', async () => {
    await recordAndLose(5_000);
    gate.state = 'away';
    await takeOver();
    await inState('finishing');
    await other.service.close();
    gate.state = 'open';
    await start(other.files.root);
    await inS3();
    assert.equal((await only()).bytes, 5_000);
  });

  it('waits for S3, and gives nothing up while S3 does not answer', async () => {
    const before = await recordAndLose(5_000);
    gate.state = 'forbidden';
    await takeOver();
    await until('it failed', () =>
      other.lines.includes('a recording could not be made ready to play: what was written is kept'),
    );
    gate.state = 'open';
    assert.deepEqual(
      (await only()).parts.map(({ backup }) => backup),
      before.parts.map(({ backup }) => backup),
    );
    other.timers.elapse(30_000);
    await inS3();
  });

  it('is failed, with what was lost, when S3 has nothing of it', async () => {
    const { parts } = await recordAndLose(5_000);
    await storage.dropBackup(parts[0]!.backup!);
    await takeOver();
    await inState('failed');
    assert.deepEqual([(await only()).fault, (await only()).bytes], ['recorder_lost', 0]);
  });

  it('goes on as another recording on a server that was only without the database', async () => {
    const before = await recordAndLose(5_000);
    await takeOver();
    await inS3();
    lost.recorder.orders.length = 0;
    // It saves what it has recorded.
    lost.timers.elapse(10_000);
    await until('another recording begins', () => lost.recorder.orders.length === 1);
    lost.recorder.begin(lost.timers.now);
    await until('both are known', async () => (await listed()).length === 2);
    const [next, taken] = await listed();
    assert.deepEqual([next!.state, next!.nodeId], ['recording', lost.files.nodeId]);
    assert.deepEqual([taken!.id, taken!.bytes, taken!.location], [before.id, 5_000, 's3']);
    // What it has of the first one is left to the sweep.
    assert.equal(existsSync(lost.files.fileOf(before, 'part-1.mkv')), true);
  });

  it('can be deleted with its copy', async () => {
    const record = await recordAndLose(5_000);
    assert.equal(await store.remove('acme', record.id, other.timers.now - 1), 'open');
    assert.notEqual(await store.remove('acme', record.id, other.timers.now), 'open');
  });

  describe('of which a part is missing in its own folder', () => {
    it('is completed from the copy at the next start', async () => {
      const record = await recordAndLose(5_000);
      await lost.service.close();
      await rm(lost.files.folderOf(record), { recursive: true });
      await start(lost.files.root);
      await inS3();
      assert.equal((await only()).bytes, 5_000);
    });
  });

  describe('whose parts viewers may still see', () => {
    it('keeps its copy until the file is in S3, and removes it with the parts', async () => {
      await lost.live();
      lost.write(5_000, TAIL_EVERY_MS);
      await copied(5_000);
      const before = await only();
      gate.state = 'away';
      await lost.service.setRecording(streamIdOf('acme', 'main'), null, false);
      await inState('ready');
      lost.timers.elapse(PARTS_KEPT_MS);
      await until('the parts are removed', () => !existsSync(lost.files.fileOf(before, 'part-1.mkv')));
      assert.equal((await only()).parts[0]?.backup?.key, before.parts[0]!.backup!.key);
      assert.equal(readFileSync(lost.files.fileOf(before, 'recording.mp4')).length, 5_000);
      gate.state = 'open';
      await until('it is in S3', async () => {
        // The attempt while S3 was away may fail only now, and the next one waits.
        lost.timers.elapse(5 * 60_000);
        return (await only()).location === 's3';
      });
      await until('the parts are forgotten', async () => (await only()).parts.length === 0);
      assert.equal(await hasCopy(before), false);
    });
  });
});

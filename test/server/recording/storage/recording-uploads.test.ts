import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import type { OpenPart } from '../../../../server/recording/open/open-recording.js';
import { RecordingFiles } from '../../../../server/recording/recording-files.js';
import { partKey, recordingKey, type RecordingRecord } from '../../../../server/recording/recording-record.js';
import { RecordingUploads } from '../../../../server/recording/storage/recording-uploads.js';
import { S3Storage, SMALLEST_PIECE } from '../../../../server/recording/storage/s3-storage.js';
import { openDatabase } from '../../../../server/store/database.js';
import { SqlAccountStore } from '../../../../server/store/tables/sql-account-store.js';
import { SqlRecordingStore } from '../../../../server/store/tables/sql-recording-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { until } from '../../../support/media/until.js';
import { aRecordedPart, aRecording, RECORDED_ON, recordingIdOf } from '../../../support/recording.js';
import { TestTimers } from '../../../support/recording-fakes.js';
import { s3Gate, type S3Gate } from '../../../support/s3-gate.js';

const NOT_COPIED = 'a recording was not copied to S3: it stays in the folder, and is tried again';
const PIECE_NOT_COPIED = 'a piece of a recording was not copied to S3: it is in the folder';
const START = { partId: 'x/1', startsAt: RECORDED_ON, audio: undefined, video: undefined };

describe('RecordingUploads', () => {
  const cleanup = new Cleanup();
  let gate: S3Gate;
  let storage: S3Storage;
  let files: RecordingFiles;
  let store: SqlRecordingStore;
  let timers: TestTimers;
  let lines: string[];
  let uploaded: string[];
  let uploads: RecordingUploads;

  beforeEach(async () => {
    gate = await s3Gate(cleanup);
    storage = new S3Storage(gate.options);
    files = await RecordingFiles.open(await dataFolder(cleanup));
    const db = await openDatabase(await dataFolder(cleanup));
    cleanup.after(() => db.destroy());
    await new SqlAccountStore(db).create('acme');
    store = new SqlRecordingStore(db);
    timers = new TestTimers(RECORDED_ON);
    lines = [];
    uploaded = [];
    uploads = open();
    cleanup.after(() => uploads.close());
  });
  afterEach(() => cleanup.run());

  const open = () =>
    new RecordingUploads({
      storage,
      store,
      files,
      startTimer: timers.startTimer,
      now: () => timers.now,
      log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
      onUploaded: ({ id }) => uploaded.push(id),
    });
  const ready = async (fields: Partial<RecordingRecord> = {}): Promise<RecordingRecord> => {
    const record = aRecording({ nodeId: files.nodeId, bytes: 10, ...fields });
    await store.add(record);
    await files.makeFolder(record);
    await writeFile(files.fileOf(record, 'recording.mp4'), '0123456789');
    return record;
  };
  const stored = async ({ id }: RecordingRecord) => (await store.findAny(id))!;
  const isIn = (record: RecordingRecord, location: 's3' | 'folder') =>
    until(`it is in ${location}`, async () => (await stored(record)).location === location);
  const logged = (line: string, count = 1) => until(line, () => lines.filter((each) => each === line).length === count);

  for (const state of ['away', 'forbidden'] as const) {
    it(`tells the owner that S3 is ${state}, and copies the file when S3 is back`, async () => {
      gate.state = state;
      const record = await ready();
      uploads.ready(record);
      await logged(NOT_COPIED);
      await until('the owner is told', async () => (await stored(record)).fault === 'upload_failed');
      timers.elapse(5_000);
      await logged(NOT_COPIED, 2);
      gate.state = 'open';
      timers.elapse(10_000);
      await isIn(record, 's3');
      assert.equal((await stored(record)).fault, null);
      assert.equal(await storage.size(recordingKey(record)), 10);
      assert.deepEqual(uploaded, [record.id]);
    });
  }

  it('keeps the fault of a recording that lost something before', async () => {
    gate.state = 'forbidden';
    const record = await ready({ fault: 'recorder_lost' });
    uploads.ready(record);
    await logged(NOT_COPIED);
    gate.state = 'open';
    timers.elapse(5_000);
    await isIn(record, 's3');
    assert.equal((await stored(record)).fault, 'recorder_lost');
  });

  it('copies at the next start what waited when the server stopped', async () => {
    gate.state = 'away';
    const records = [await ready(), await ready({ id: recordingIdOf(2) })];
    for (const record of records) uploads.ready(record);
    await logged(NOT_COPIED);
    await uploads.close();
    gate.state = 'open';
    uploads = open();
    uploads.recover();
    for (const record of records) await isIn(record, 's3');
  });

  it('removes nothing of a recording from S3 that is not there, and copies the next one', async () => {
    const gone = await ready();
    await files.removeAll(gone);
    const next = await ready({ id: recordingIdOf(2) });
    for (const record of [gone, next]) uploads.ready(record);
    await isIn(next, 's3');
    assert.equal((await stored(gone)).location, 'folder');
    assert.ok(lines.includes('the file of a recording is gone: it cannot be copied to S3'));
  });

  it('leaves nothing in S3 of a recording that is deleted while it is copied', async () => {
    const record = await ready();
    const { put } = storage;
    storage.put = async (...args) => {
      await put.apply(storage, args);
      await store.remove('acme', record.id, 1);
    };
    uploads.ready(record);
    await until('it is removed', async () => (await storage.size(recordingKey(record))) === undefined);
    assert.deepEqual(uploaded, []);
  });

  describe('of a part that is still written', () => {
    let record: RecordingRecord;
    let part: OpenPart;

    beforeEach(async () => {
      record = await ready({ state: 'recording', container: null, endedOn: null });
      const file = files.fileOf(record, 'part-1.mkv');
      await writeFile(file, '');
      const sums = { bytes: 0, durationMs: 0, width: 0, height: 0, framesLost: 0, isOpen: true, backup: undefined };
      part = { partId: 'x/1', start: { ...START, file }, groups: [], ...sums };
    });
    const grow = async (bytes: number) => {
      await appendFile(part.start.file, Buffer.alloc(bytes, 'm'));
      part.bytes += bytes;
      uploads.grown(record, part);
    };
    const pieces = (count: number) => until(`${count} pieces`, () => part.backup?.etags.length === count);

    it('copies each five megabytes, and none before', async () => {
      await grow(SMALLEST_PIECE - 1);
      assert.equal(part.backup, undefined);
      await grow(1);
      await pieces(1);
      await grow(SMALLEST_PIECE + 1);
      await pieces(2);
      await storage.completeBackup(partKey(record, { name: 'part-1.mkv' }), part.backup!);
      assert.equal(await storage.size(partKey(record, { name: 'part-1.mkv' })), 2 * SMALLEST_PIECE);
    });

    it('goes on half a minute after S3 failed, with the piece that it did not take', async () => {
      await grow(SMALLEST_PIECE);
      await pieces(1);
      gate.state = 'forbidden';
      await grow(SMALLEST_PIECE);
      await logged(PIECE_NOT_COPIED);
      gate.state = 'open';
      timers.now += 29_999;
      await grow(1);
      assert.equal(part.backup?.etags.length, 1);
      timers.now += 1;
      await grow(1);
      await pieces(2);
    });

    it('drops the pieces when the whole file is copied', async () => {
      await grow(SMALLEST_PIECE);
      await pieces(1);
      const parts = [aRecordedPart({ backup: part.backup })];
      const finished = { ...record, state: 'ready', container: 'mp4', parts } as const;
      await store.save(finished);
      uploads.ready(finished);
      await isIn(record, 's3');
      // The S3 of the tests has no answer for it.
      const path = `/recordings/live/${partKey(record, { name: 'part-1.mkv' })}?uploadId=${part.backup!.uploadId}`;
      await until('the pieces are dropped', () => gate.requests.includes(`DELETE ${path}`));
    });
  });
});

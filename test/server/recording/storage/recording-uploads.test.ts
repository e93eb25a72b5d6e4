import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { RecordingFiles } from '../../../../server/recording/recording-files.js';
import { recordingKey, type RecordingRecord } from '../../../../server/recording/recording-record.js';
import { RecordingUploads } from '../../../../server/recording/storage/recording-uploads.js';
import { S3Storage } from '../../../../server/recording/storage/s3-storage.js';
import { openDatabase } from '../../../../server/store/database.js';
import type { Database } from '../../../../server/store/schema.js';
import { SqlAccountStore } from '../../../../server/store/tables/sql-account-store.js';
import { SqlRecordingStore } from '../../../../server/store/tables/sql-recording-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { until } from '../../../support/media/until.js';
import { aRecording, RECORDED_ON, recordingIdOf } from '../../../support/recording.js';
import { TestTimers } from '../../../support/recording-fakes.js';
import { s3Gate, type S3Gate } from '../../../support/s3-gate.js';

const NOT_COPIED = 'a recording was not copied to S3: it stays in the folder, and is tried again';

describe('RecordingUploads', () => {
  const cleanup = new Cleanup();
  let gate: S3Gate;
  let storage: S3Storage;
  let files: RecordingFiles;
  let db: Database;
  let store: SqlRecordingStore;
  let timers: TestTimers;
  let lines: string[];
  let uploaded: string[];
  let uploads: RecordingUploads;

  beforeEach(async () => {
    gate = await s3Gate(cleanup);
    storage = new S3Storage(gate.options);
    files = await RecordingFiles.open(await dataFolder(cleanup));
    db = await openDatabase(await dataFolder(cleanup));
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

  it('copies the others while one cannot be read', async () => {
    const unreadable = await ready();
    await files.removeAll(unreadable);
    await mkdir(files.fileOf(unreadable, 'recording.mp4'), { recursive: true });
    const next = await ready({ id: recordingIdOf(2) });
    for (const record of [unreadable, next]) uploads.ready(record);
    await logged(NOT_COPIED);
    timers.elapse(5_000);
    await isIn(next, 's3');
    assert.equal((await stored(unreadable)).fault, 'upload_failed');
  });

  it('copies the recordings of others while S3 keeps one account waiting', async () => {
    await new SqlAccountStore(db).create('other');
    const { put } = storage;
    const { promise: hangs, resolve: answer } = Promise.withResolvers<void>();
    cleanup.after(answer);
    storage.put = async (key, ...args) => {
      if (key !== recordingKey(other)) await hangs;
      await put.call(storage, key, ...args);
    };
    const [first, second] = [await ready(), await ready({ id: recordingIdOf(2) })];
    const other = await ready({ id: recordingIdOf(3), accountId: 'other' });
    for (const record of [first, second, other]) uploads.ready(record);
    await isIn(other, 's3');
    assert.deepEqual([(await stored(first)).location, (await stored(second)).location], ['folder', 'folder']);
    answer();
    for (const record of [first, second]) await isIn(record, 's3');
  });

  it('copies the recordings of others while it waits to try those of one account again', async () => {
    await new SqlAccountStore(db).create('other');
    const first = await ready();
    gate.fails = (request) => request.includes(first.id);
    uploads.ready(first);
    await logged(NOT_COPIED);
    const other = await ready({ id: recordingIdOf(2), accountId: 'other' });
    uploads.ready(other);
    await isIn(other, 's3');
    gate.fails = () => false;
    timers.elapse(5_000);
    await isIn(first, 's3');
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

  it('leaves the file in S3 of a recording that another server takes over while it is copied', async () => {
    const record = await ready();
    const { put } = storage;
    storage.put = async (...args) => {
      await put.apply(storage, args);
      await store.takeOver(record.id, { from: files.nodeId, to: 'another' });
    };
    uploads.ready(record);
    await logged('a recording was copied to S3');
    assert.equal(await storage.size(recordingKey(record)), 10);
    assert.deepEqual([uploaded, (await stored(record)).location], [[], 'folder']);
  });
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { generateKeySync } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { RecordingLibrary } from '../../../server/recording/recording-library.js';
import { RecordingQuota } from '../../../server/recording/recording-quota.js';
import { recordingKey, type RecordingRecord } from '../../../server/recording/recording-record.js';
import { FolderStorage } from '../../../server/recording/storage/folder-storage.js';
import { S3Storage } from '../../../server/recording/storage/s3-storage.js';
import { openDatabase } from '../../../server/store/database.js';
import { SqlAccountStore } from '../../../server/store/tables/sql-account-store.js';
import { SqlRecordingStore } from '../../../server/store/tables/sql-recording-store.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { aRecordedPart, aRecording, RECORDED_ON, recordingIdOf } from '../../support/recording.js';
import { s3Gate, type S3Gate } from '../../support/s3-gate.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const NOT_DELETED = 'a recording that expired was not deleted, because it is in S3';

describe('RecordingLibrary', () => {
  const cleanup = new Cleanup();
  let folder: FolderStorage;
  let s3: S3Storage;
  let gate: S3Gate;
  let store: SqlRecordingStore;
  let library: RecordingLibrary;
  let libraryWith: (s3: S3Storage | undefined) => RecordingLibrary;
  let lines: string[];
  let now: number;

  beforeEach(async () => {
    gate = await s3Gate(cleanup);
    s3 = new S3Storage(gate.options);
    folder = new FolderStorage(await dataFolder(cleanup));
    const db = await openDatabase(await dataFolder(cleanup));
    cleanup.after(() => db.destroy());
    await new SqlAccountStore(db).create('acme');
    store = new SqlRecordingStore(db);
    lines = [];
    now = RECORDED_ON;
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
    const linkKey = generateKeySync('hmac', { length: 256 });
    const quota = new RecordingQuota(store, log);
    libraryWith = (storage) =>
      new RecordingLibrary({ store, quota, folder, s3: storage, linkKey, isAvailable: true, now: () => now, log });
    library = libraryWith(s3);
  });
  afterEach(() => cleanup.run());

  const add = async (number: number, fields: Partial<RecordingRecord> = {}): Promise<RecordingRecord> => {
    const record = aRecording({ id: recordingIdOf(number), bytes: 5, ...fields });
    await store.add(record);
    const file = folder.pathOf(recordingKey(record));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'media');
    if (record.location === 's3') await s3.put(recordingKey(record), file, 'video/mp4');
    return record;
  };
  const expire = (time: number, signal = new AbortController().signal) => library.deleteExpired(time, signal);
  const hasFile = (record: RecordingRecord) => existsSync(dirname(folder.pathOf(recordingKey(record))));

  it('deletes a day of small recordings, each when its time has come', async () => {
    const recordings: RecordingRecord[] = [];
    for (let index = 0; index < 24 * 60; index += 10) {
      const startedOn = RECORDED_ON + index * MINUTE_MS;
      recordings.push(await add(index, { startedOn, expiresOn: startedOn + 7 * DAY_MS }));
    }
    const kept = await add(9_000, { expiresOn: null });
    assert.equal(await expire(RECORDED_ON + 7 * DAY_MS - 1), 0);
    // Half a day, in several steps of the job.
    const noon = RECORDED_ON + 7 * DAY_MS + DAY_MS / 2 - 1;
    assert.equal(await expire(noon), 72);
    assert.deepEqual(recordings.map(hasFile), [...Array(72).fill(false), ...Array(72).fill(true)]);
    assert.equal(await expire(RECORDED_ON + 8 * DAY_MS), 72);
    assert.deepEqual([recordings.some(hasFile), hasFile(kept)], [false, true]);
    assert.equal((await library.list('acme', { page: 1, itemsOnPage: 100 })).total, 1);
  });

  it('deletes nothing that is recorded or made ready, and what failed', async () => {
    const fields = { expiresOn: RECORDED_ON };
    for (const [index, state] of (['recording', 'finishing', 'failed'] as const).entries()) {
      await add(index, { ...fields, state });
    }
    assert.equal(await expire(RECORDED_ON), 1);
    const left = (await library.list('acme', { page: 1, itemsOnPage: 100 })).recordings;
    assert.deepEqual(left.map(({ state }) => state).toSorted(), ['finishing', 'recording']);
  });

  for (const state of ['away', 'forbidden'] as const) {
    it(`deletes expired recordings while S3 is ${state}, and those in it when it is back, with their files`, async () => {
      const inS3 = [
        await add(1, { location: 's3', expiresOn: RECORDED_ON }),
        await add(2, { location: 's3', expiresOn: RECORDED_ON }),
      ];
      await add(3, { expiresOn: RECORDED_ON });
      gate.state = state;
      assert.equal(await expire(RECORDED_ON), 1);
      assert.ok(lines.includes(NOT_DELETED));
      gate.state = 'open';
      assert.equal(await expire(RECORDED_ON), 2);
      for (const record of inS3) assert.equal(await s3.size(recordingKey(record)), undefined);
    });

    it(`deletes nothing of a recording in S3 while S3 is ${state}, and says so`, async () => {
      const record = await add(1, { location: 's3' });
      gate.state = state;
      await assert.rejects(library.remove('acme', record.id), { code: 'recording_storage_unavailable', status: 503 });
      assert.deepEqual([hasFile(record), (await library.get('acme', record.id)).state], [true, 'ready']);
      gate.state = 'open';
      await library.remove('acme', record.id);
      assert.deepEqual([hasFile(record), await s3.size(recordingKey(record))], [false, undefined]);
    });
  }

  describe('without RECORDINGS_S3_…', () => {
    const BACKUP = { key: 'a/part-1.mkv', uploadId: null, etags: [] };
    for (const [what, fields] of [
      ['whose file is in S3', { location: 's3' }],
      ['whose parts have copies in S3', { state: 'failed', parts: [aRecordedPart({ backup: BACKUP })] }],
    ] as const) {
      it(`deletes nothing of a recording ${what}, and says so`, async () => {
        const record = await add(1, fields);
        await s3.put(recordingKey(record), folder.pathOf(recordingKey(record)), 'video/mp4');
        await assert.rejects(libraryWith(undefined).remove('acme', record.id), {
          code: 'recording_storage_unavailable',
          status: 503,
          message: /RECORDINGS_S3_… is not set here/,
        });
        assert.deepEqual([hasFile(record), await s3.size(recordingKey(record))], [true, 5]);
        await library.remove('acme', record.id);
        assert.equal(await s3.size(recordingKey(record)), undefined);
      });

      it(`leaves an expired recording ${what} to a server that has them, and deletes the others`, async () => {
        const record = await add(1, { ...fields, expiresOn: RECORDED_ON });
        const other = await add(2, { expiresOn: RECORDED_ON });
        const signal = new AbortController().signal;
        assert.equal(await libraryWith(undefined).deleteExpired(RECORDED_ON, signal), 1);
        assert.deepEqual([hasFile(record), hasFile(other)], [true, false]);
        assert.equal(await expire(RECORDED_ON), 1);
        assert.deepEqual([hasFile(record), await s3.size(recordingKey(record))], [false, undefined]);
      });
    }

    it('reads each expired recording that is left to a server that has them once', async () => {
      for (let number = 0; number < 120; number += 1) {
        await store.add(aRecording({ id: recordingIdOf(number), location: 's3', expiresOn: RECORDED_ON }));
      }
      let read = 0;
      const { listExpired } = store;
      store.listExpired = async (...args) => {
        const expired = await listExpired.apply(store, args);
        read += expired.length;
        return expired;
      };
      assert.equal(await libraryWith(undefined).deleteExpired(RECORDED_ON, new AbortController().signal), 0);
      assert.equal(read, 120);
    });

    it('deletes what is in the folder', async () => {
      const record = await add(1);
      await libraryWith(undefined).remove('acme', record.id);
      assert.equal(hasFile(record), false);
    });
  });

  it('stops when the server stops', async () => {
    await add(1, { expiresOn: RECORDED_ON });
    assert.equal(await expire(RECORDED_ON, AbortSignal.abort()), 0);
  });

  describe('of a file in S3', () => {
    const openLink = async (download: boolean) => {
      const record = await add(1, { location: 's3' });
      await folder.removeFolder(dirname(recordingKey(record)));
      const { path } = await library.link('acme', record.id, { download });
      const query = new URL(path, 'http://localhost').searchParams;
      const expires = Number(query.get('expires'));
      return { link: { recordingId: record.id, expires, isDownload: download }, signature: query.get('signature')! };
    };

    it('gives a URL of S3 that saves it under its name', async () => {
      const { link, signature } = await openLink(true);
      const url = await (await library.open(link, signature)).downloadUrl();
      const answer = await fetch(url!);
      assert.deepEqual(
        [answer.headers.get('content-disposition'), await answer.text()],
        ['attachment; filename="main-2026-11-20-1900.mp4"', 'media'],
      );
    });

    it('says that the storage does not answer while S3 is away', async () => {
      const { link, signature } = await openLink(false);
      gate.state = 'away';
      await assert.rejects(library.open(link, signature), { code: 'recording_storage_unavailable', status: 503 });
      gate.state = 'open';
      assert.equal((await library.open(link, signature)).bytes, 5);
    });
  });
});

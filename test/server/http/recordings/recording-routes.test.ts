import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { recordingKey, type RecordingRecord } from '../../../../server/recording/recording-record.js';
import { openDatabase } from '../../../../server/store/database.js';
import { SqlRecordingStore } from '../../../../server/store/tables/sql-recording-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { ask, managementApp, type ManagementApp } from '../../../support/management-app.js';
import { aRecordedPart, aRecording, recordingIdOf } from '../../../support/recording.js';

const TEXT = '0123456789';

describe('the API of recordings', () => {
  const cleanup = new Cleanup();
  let app: ManagementApp;
  let store: SqlRecordingStore;
  let folder: string;

  beforeEach(async () => {
    const dataDir = await dataFolder(cleanup);
    folder = join(dataDir, 'recordings');
    app = await managementApp(cleanup, { DATA_DIR: dataDir });
    const db = await openDatabase(dataDir);
    cleanup.after(() => db.destroy());
    store = new SqlRecordingStore(db);
  });
  afterEach(() => cleanup.run());

  const add = async (number: number, fields: Partial<RecordingRecord> = {}) => {
    const recording = aRecording({ id: recordingIdOf(number), ...fields });
    await store.add(recording);
    const file = join(folder, recordingKey(recording));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, TEXT);
    return { recording, path: `/api/recordings/${recording.id}` };
  };
  const linkTo = async (path: string, body: object = {}): Promise<string> => {
    const { status, body: answer } = await ask(app, 'POST', `${path}/link`, body);
    assert.equal(status, 200);
    return answer.data.path;
  };
  const load = (path: string, headers: Record<string, string> = {}) => fetch(app.origin + path, { headers });
  const codeOf = async (response: Response): Promise<unknown[]> => [response.status, (await response.json()).data.code];

  it('lists and shows the recordings of the account', async () => {
    const { recording, path } = await add(1);
    await add(2, { accountId: 'other' });
    const { body } = await ask(app, 'GET', '/api/recordings');
    assert.equal(body.total, 1);
    assert.deepEqual(body.data, [(await ask(app, 'GET', path)).body.data]);
    const { id, durationSeconds, hasRewind, startedOn } = body.data[0];
    assert.deepEqual(
      [id, durationSeconds, hasRewind, startedOn],
      [recording.id, 3_600, true, '2026-11-20T19:00:00.000Z'],
    );
    const other = await ask(app, 'GET', `/api/recordings/${recordingIdOf(2)}`);
    assert.deepEqual([other.status, other.body.data.code], [404, 'recording_not_found']);
  });

  it('sets when a recording expires, and deletes it with its file', async () => {
    const { path, recording } = await add(1);
    const kept = await ask(app, 'PUT', path, { expiresOn: '2027-01-01T00:00:00+01:00' });
    assert.equal(kept.body.data.expiresOn, '2026-12-31T23:00:00.000Z');
    const link = await linkTo(path);
    assert.equal((await ask(app, 'DELETE', path)).status, 200);
    assert.deepEqual(await codeOf(await load(link)), [404, 'recording_not_found']);
    assert.equal((await ask(app, 'DELETE', path)).body.data.code, 'recording_not_found');
    assert.equal(await store.findAny(recording.id), undefined);
  });

  it('sends nothing of the file in place of which it has to send an error', async () => {
    const { path, recording } = await add(1);
    const links = [await linkTo(path), await linkTo(path, { download: true })];
    // A folder can be opened, and no byte of it can be read.
    const file = join(folder, recordingKey(recording));
    await rm(file);
    await mkdir(file);
    for (const link of links) {
      for (const headers of [{}, { range: 'bytes=0-3' }]) {
        const response = await load(link, headers);
        assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
        const ofFile = ['content-disposition', 'content-range', 'accept-ranges'];
        assert.deepEqual(
          ofFile.map((name) => response.headers.get(name)),
          [null, null, null],
        );
        assert.deepEqual(await codeOf(response), [503, 'recording_storage_unavailable']);
      }
    }
  });

  it('does not delete or link what is being recorded', async () => {
    const { path, recording } = await add(1, { state: 'recording' });
    await store.noteRunning(recording.nodeId, app.clock.now);
    assert.equal((await ask(app, 'DELETE', path)).body.data.code, 'recording_in_progress');
    assert.equal((await ask(app, 'POST', `${path}/link`, {})).body.data.code, 'recording_not_ready');
  });

  it('takes over the recording of a lost server on command, and says when it cannot', async () => {
    const { path, recording } = await add(1, { state: 'recording', container: null, parts: [aRecordedPart()] });
    const finish = async (body?: object) => {
      const answer = await ask(app, 'POST', `${path}/finish`, body);
      return [answer.status, answer.body.data.code];
    };
    assert.deepEqual(await finish(), [409, 'recording_in_progress']);
    // There is no S3.
    assert.deepEqual(await finish({ takeOver: true }), [404, 'recording_file_missing']);
    assert.deepEqual(await finish({ takeOver: 'yes' }), [400, 'invalid_request']);
    assert.equal((await store.findAny(recording.id))?.nodeId, recording.nodeId);
  });

  it('sends the file to whoever has a link, whole and in parts', async () => {
    const link = await linkTo((await add(1)).path);
    const whole = await load(link);
    assert.deepEqual(
      [whole.status, whole.headers.get('content-type'), whole.headers.get('accept-ranges'), await whole.text()],
      [200, 'video/mp4', 'bytes', TEXT],
    );
    assert.equal(whole.headers.get('content-disposition'), 'inline; filename="main-2026-11-20-1900.mp4"');
    const part = await load(link, { range: 'bytes=2-4' });
    assert.deepEqual([part.status, part.headers.get('content-range'), await part.text()], [206, 'bytes 2-4/10', '234']);
    assert.equal(await (await load(link, { range: 'bytes=-3' })).text(), '789');
    assert.equal(await (await load(link, { range: 'bytes=8-', 'if-range': '"another"' })).text(), TEXT);
    const beyond = await load(link, { range: 'bytes=10-' });
    assert.equal(beyond.headers.get('content-range'), 'bytes */10');
    assert.deepEqual(await codeOf(beyond), [416, 'range_unsatisfiable']);
    const head = await fetch(app.origin + link, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10']);
  });

  it('has browsers save the file of a link for that', async () => {
    const link = await linkTo((await add(1)).path, { download: true });
    const { headers } = await load(link);
    assert.equal(headers.get('content-disposition'), 'attachment; filename="main-2026-11-20-1900.mp4"');
    assert.deepEqual(await codeOf(await load(link.replace('download=1&', ''))), [403, 'recording_link_invalid']);
  });

  it('refuses a link that was changed or has expired', async () => {
    const { path } = await add(1);
    await add(2);
    const link = await linkTo(path, { seconds: 60 });
    const other = link.replace(recordingIdOf(1), recordingIdOf(2));
    const longer = link.replace(/expires=(\d+)/, (_all, time) => `expires=${Number(time) + 1}`);
    for (const wrong of [other, longer, link.slice(0, -1)]) {
      assert.deepEqual(await codeOf(await load(wrong)), [403, 'recording_link_invalid']);
    }
    app.clock.now += 60_000;
    assert.deepEqual(await codeOf(await load(link)), [403, 'recording_link_expired']);
  });

  it('says that a file is on another server', async () => {
    const record = aRecording({ id: recordingIdOf(3) });
    await store.add(record);
    const link = await linkTo(`/api/recordings/${record.id}`);
    assert.deepEqual(await codeOf(await load(link)), [404, 'recording_file_missing']);
  });

  it('shows and changes the settings, with a warning near the quota', async () => {
    await add(1, { bytes: 90 });
    const before = await ask(app, 'GET', '/api/account/recording');
    assert.deepEqual(before.body.data, {
      isAvailable: true,
      retentionDays: null,
      quotaBytes: null,
      usedBytes: 90,
      recordings: 1,
      warning: null,
    });
    const near = await ask(app, 'PUT', '/api/account/recording', { quotaBytes: 100, retentionDays: 7 });
    assert.deepEqual([near.body.data.warning, near.body.data.retentionDays], ['quota_near', 7]);
    const full = await ask(app, 'PUT', '/api/account/recording', { quotaBytes: 90 });
    assert.equal(full.body.data.warning, 'quota_exceeded');
  });
});

describe('the API of recordings on a server that does not record', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('refuses what only a server that records can do', async () => {
    const dataDir = await dataFolder(cleanup);
    const app = await managementApp(cleanup, { DATA_DIR: dataDir, RECORDINGS_DIR: 'off' });
    const db = await openDatabase(dataDir);
    cleanup.after(() => db.destroy());
    const recording = aRecording({ id: recordingIdOf(1), state: 'finishing', container: null });
    await new SqlRecordingStore(db).add(recording);
    assert.equal((await ask(app, 'GET', '/api/account/recording')).body.data.isAvailable, false);
    const finish = await ask(app, 'POST', `/api/recordings/${recording.id}/finish`);
    assert.deepEqual([finish.status, finish.body.data.code], [503, 'recording_unavailable']);
    const clip = await ask(app, 'POST', '/api/streams/main/clips', { seconds: 30 });
    assert.deepEqual([clip.status, clip.body.data.code], [503, 'recording_unavailable']);
    const record = await ask(app, 'POST', '/api/streams/main/record', { record: true });
    assert.deepEqual([record.status, record.body.data.code], [409, 'stream_not_live']);
  });
});

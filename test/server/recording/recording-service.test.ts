import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import type { MediaEngineEvents, TapAddress } from '../../../server/media/engine/media-engine.js';
import type { SourceId } from '../../../server/media/engine/media-track.js';
import type { RecordingChange } from '../../../server/recording/recording-control.js';
import { PackagerError } from '../../../server/recording/packager/packager-messages.js';
import { RecordingFiles } from '../../../server/recording/recording-files.js';
import { RecordingQuota } from '../../../server/recording/recording-quota.js';
import type { RecordingRecord } from '../../../server/recording/recording-record.js';
import { segmentedParts } from '../../../server/recording/hls/segments.js';
import { PARTS_KEPT_MS } from '../../../server/recording/finish/recording-completion.js';
import { SAVE_EVERY_MS } from '../../../server/recording/open/recording-saver.js';
import { RecordingService } from '../../../server/recording/recording-service.js';
import { openDatabase } from '../../../server/store/database.js';
import type { Database } from '../../../server/store/schema.js';
import { SqlAccountStore } from '../../../server/store/tables/sql-account-store.js';
import { SqlAuditStore } from '../../../server/store/tables/sql-audit-store.js';
import { SqlRecordingStore } from '../../../server/store/tables/sql-recording-store.js';
import { namesOf, streamIdOf } from '../../../server/streams/stream-id.js';
import type { SourcePublisher } from '../../../server/streams/stream-registry.js';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { until as untilNamed } from '../../support/media/until.js';
import { aRecordedPart, aRecording, RECORDED_ON } from '../../support/recording.js';
import { FakePackager, FakeRecorder, TestTimers } from '../../support/recording-fakes.js';

const COME_BACK_MS = 60_000;
const NOT_FINISHED = 'a recording could not be made ready to play: what was written is kept';
const PUBLISHER = { tokenId: 7, codec: undefined, isLive: true };

const until = (condition: () => boolean | Promise<boolean>) => untilNamed('the recording is so far', condition, 4_000);

class FakeTaps extends EventEmitter<MediaEngineEvents> {
  address: TapAddress | undefined = { path: '/tap' };

  tapAddress(): TapAddress | undefined {
    return this.address;
  }
}

describe('RecordingService', () => {
  const cleanup = new Cleanup();
  let root: string;
  let timers: TestTimers;
  let engine: FakeTaps;
  let recorder: FakeRecorder;
  let packager: FakePackager;
  let db: Database;
  let store: SqlRecordingStore;
  let audit: SqlAuditStore;
  let files: RecordingFiles;
  let service: RecordingService;
  let lines: string[];
  let publishers: Map<string, SourcePublisher>;
  let recording: Set<number>;
  let tokenRetentionDays: number | null;
  let changes: RecordingChange[];

  const key = (stream: string, sourceId: SourceId) => JSON.stringify([stream, sourceId]);
  const log = () => pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });

  const start = async () => {
    recorder = new FakeRecorder();
    engine = new FakeTaps();
    service = new RecordingService({
      engine: engine as never,
      streams: { publisherOf: (stream, sourceId) => publishers.get(key(stream, sourceId)) },
      tokenRecords: (tokenId) => recording.has(tokenId),
      tokenRetentionDays: () => tokenRetentionDays,
      recorder,
      packager,
      store,
      files,
      quota: new RecordingQuota(store, log()),
      leaseMs: 10_000,
      startTimer: timers.startTimer,
      now: () => timers.now,
      log: log(),
    });
    changes = [];
    service.on('changed', (change) => changes.push(change));
    const started = service;
    cleanup.after(() => started.close());
  };

  beforeEach(async () => {
    root = join(await dataFolder(cleanup), 'recordings');
    db = await openDatabase(await dataFolder(cleanup));
    cleanup.after(() => db.destroy());
    for (const id of ['acme', 'other']) await new SqlAccountStore(db).create(id);
    store = new SqlRecordingStore(db);
    audit = new SqlAuditStore(db);
    files = await RecordingFiles.open(root);
    timers = new TestTimers(RECORDED_ON);
    packager = new FakePackager();
    lines = [];
    publishers = new Map();
    recording = new Set([7]);
    tokenRetentionDays = null;
    await start();
  });
  afterEach(() => cleanup.run());

  const live = (sourceId: SourceId = null, publisher: SourcePublisher = PUBLISHER) => {
    publishers.set(key('acme/main', sourceId), publisher);
    engine.emit('live', 'acme/main', sourceId, ['audio', 'video']);
  };
  const ended = (sourceId: SourceId = null) => {
    publishers.delete(key('acme/main', sourceId));
    engine.emit('ended', 'acme/main', sourceId);
  };
  const ordered = async (count: number) => await until(() => recorder.orders.length === count);
  const listed = async () => (await store.list('acme', { page: 1, itemsOnPage: 100 })).recordings;
  /** Waits until the only recording is in this state. */
  const inState = async (state: RecordingRecord['state']): Promise<RecordingRecord> => {
    let found: RecordingRecord | undefined;
    await until(async () => {
      const all = await listed();
      found = all.find((record) => record.state === state);
      return found !== undefined;
    });
    return found!;
  };
  /** Begins to record, with ten seconds in the first part. */
  const record = async () => {
    live();
    await ordered(1);
    recorder.begin(timers.now);
    recorder.write(100, 10_000);
    timers.now += 10_000;
  };
  /** The publisher leaves, and does not come back. */
  const leave = () => {
    ended();
    recorder.end('source_ended');
    timers.elapse(COME_BACK_MS);
  };

  it('records a broadcast of a token that records, from live to a file that is ready', async () => {
    await record();
    assert.equal(service.isRecording(streamIdOf('acme', 'main'), null), true);
    const { id } = await inState('recording');
    leave();
    const ready = await inState('ready');
    assert.equal(ready.id, id);
    const { streamName, tokenId, kind, container, bytes, startedOn, endedOn, videoCodec, width, fault } = ready;
    assert.deepEqual(
      { streamName, tokenId, kind, container, bytes, startedOn, endedOn, videoCodec, width, fault },
      {
        streamName: 'main',
        // The store has no such token.
        tokenId: null,
        kind: 'broadcast',
        container: 'mp4',
        bytes: 100,
        startedOn: RECORDED_ON,
        endedOn: RECORDED_ON + 10_000,
        videoCodec: 'h264',
        width: 1_280,
        fault: null,
      },
    );
    assert.equal(readFileSync(files.fileOf(ready, 'recording.mp4'), 'utf8'), 'm'.repeat(100));
    assert.deepEqual(
      changes.map(({ isRecording, fault: code }) => [isRecording, code]),
      [
        [true, null],
        [false, null],
      ],
    );
  });

  it('records nothing of a token that does not record', async () => {
    recording.clear();
    live();
    timers.elapse(COME_BACK_MS);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([recorder.orders, await listed(), changes], [[], [], []]);
  });

  it('goes on in a new part of the same recording when the publisher comes back', async () => {
    await record();
    ended();
    recorder.end('source_ended');
    timers.elapse(COME_BACK_MS - 1);
    live();
    await ordered(2);
    recorder.begin(timers.now);
    recorder.write(50, 5_000);
    leave();
    const ready = await inState('ready');
    assert.equal((await listed()).length, 1);
    assert.equal(ready.bytes, 150);
    assert.deepEqual(
      packager.calls[0]?.parts.map(({ startsAt }) => startsAt),
      [RECORDED_ON, RECORDED_ON + 10_000 + COME_BACK_MS - 1],
    );
  });

  it('says while the publisher is away that nothing is recorded, and not once they are back', async () => {
    await record();
    const endedOn = async () => (await inState('recording')).endedOn;
    assert.equal(await endedOn(), null);
    ended();
    recorder.end('source_ended');
    await until(async () => (await endedOn()) === RECORDED_ON + 10_000);
    live();
    await ordered(2);
    recorder.begin(timers.now);
    await until(async () => (await endedOn()) === null);
  });

  it('keeps whole milliseconds of a broadcast whose frames have fractions, also while the publisher is away', async () => {
    live();
    await ordered(1);
    recorder.begin(RECORDED_ON);
    recorder.write(100, 10_000.3);
    ended();
    recorder.end('source_ended');
    await until(async () => (await listed())[0]?.endedOn === RECORDED_ON + 10_000);
    assert.deepEqual(
      (await listed()).map(({ fault }) => fault),
      [null],
    );
  });

  it('begins another recording for another publisher of the stream', async () => {
    await record();
    ended();
    recorder.end('source_ended');
    recording.add(8);
    live(null, { ...PUBLISHER, tokenId: 8 });
    await ordered(2);
    assert.equal((await inState('ready')).bytes, 100);
    assert.equal((await inState('recording')).startedOn, RECORDED_ON + 10_000);
  });

  it('records several sources side by side', async () => {
    live();
    live('camera-2');
    await ordered(2);
    // Which folder is created first is left to the disk.
    assert.deepEqual(new Set(recorder.orders.map(({ sourceId }) => sourceId)), new Set([null, 'camera-2']));
    assert.equal((await listed()).length, 2);
  });

  it('makes recordings of their own where the codec changes', async () => {
    await record();
    recorder.end('codec_changed');
    await ordered(2);
    recorder.begin(timers.now, { video: { codec: 'vp9', width: 640, height: 360 } });
    recorder.write(30, 3_000);
    leave();
    await until(async () => (await listed()).filter(({ state }) => state === 'ready').length === 2);
    assert.deepEqual(
      (await listed()).map(({ videoCodec, bytes, startedOn }) => [videoCodec, bytes, startedOn - RECORDED_ON]),
      [
        ['vp9', 30, 10_000],
        ['h264', 100, 0],
      ],
    );
  });

  it('expects of sound alone the picture in the codec that the publisher asks for', async () => {
    live(null, { ...PUBLISHER, codec: 'vp9' });
    await ordered(1);
    recorder.begin(timers.now, { video: undefined });
    recorder.write(100, 10_000);
    recorder.end('source_ended');
    const { parts = [] } = service.reader.findOpen('acme', 'main') ?? {};
    assert.deepEqual(
      segmentedParts({ parts }).map(({ black }) => black),
      ['vp9'],
    );
  });

  it('makes one recording, and one playlist, where the camera is turned on, and off again', async () => {
    for (const [count, tracks] of [{ video: undefined }, {}, { video: undefined }].entries()) {
      live();
      await ordered(count + 1);
      recorder.begin(timers.now, tracks);
      recorder.write(100, 10_000);
      timers.now += 10_000;
      // With other tracks, a browser begins another broadcast.
      ended();
      recorder.end('source_ended');
    }
    const { parts = [] } = service.reader.findOpen('acme', 'main') ?? {};
    assert.deepEqual(
      segmentedParts({ parts }).map(({ black }) => black),
      ['h264', undefined, 'h264'],
    );
    timers.elapse(COME_BACK_MS);
    const { bytes, videoCodec, durationMs } = await inState('ready');
    assert.deepEqual([(await listed()).length, bytes, videoCodec], [1, 300, 'h264']);
    assert.equal(durationMs, 300);
  });

  for (const reason of ['disk_full', 'disk_failed', 'recorder_lost'] as const) {
    it(`goes on in a new part after ${reason}, and tells what was lost`, async () => {
      await record();
      recorder.end(reason);
      assert.deepEqual(changes.at(-1), { stream: 'acme/main', sourceId: null, isRecording: false, fault: reason });
      timers.elapse(250);
      await ordered(2);
      recorder.begin(timers.now);
      assert.deepEqual(changes.at(-1), { stream: 'acme/main', sourceId: null, isRecording: true, fault: reason });
      recorder.write(20, 2_000);
      leave();
      const ready = await inState('ready');
      assert.deepEqual([ready.fault, ready.bytes], [reason, 120]);
      assert.ok(lines.includes('a recording was interrupted: the stream goes on, and the recording is tried again'));
    });
  }

  it('tells once that the disk is too slow, keeps recording, and keeps the fault', async () => {
    await record();
    recorder.isDiskSlow = true;
    recorder.write(50, 5_000);
    recorder.write(50, 5_000);
    await until(() => changes.length > 1);
    assert.deepEqual(
      changes.map(({ isRecording, fault }) => [isRecording, fault]),
      [
        [true, null],
        [true, 'disk_slow'],
      ],
    );
    leave();
    assert.equal((await inState('ready')).fault, 'disk_slow');
  });

  it('tries again until the stream can be tapped', async () => {
    engine.address = undefined;
    live();
    await inState('recording');
    await until(() => !service.isRecording(streamIdOf('acme', 'main'), null));
    timers.elapse(250);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(recorder.orders.length, 0);
    engine.address = { path: '/tap' };
    timers.elapse(1_000);
    await ordered(1);
  });

  it('goes on when the folder of the recording cannot be created', async () => {
    const blocked = join(root, files.folderOf({ accountId: 'acme', id: 'x' }).split('/').at(-2)!);
    writeFileSync(blocked, '');
    live();
    await until(() => changes.some(({ fault }) => fault === 'disk_failed'));
    rmSync(blocked);
    timers.elapse(250);
    await ordered(1);
  });

  it('fails when no media came', async () => {
    live();
    await ordered(1);
    leave();
    const failed = await inState('failed');
    assert.equal(failed.fault, 'nothing_recorded');
    await until(() => !existsSync(files.folderOf(failed)));
  });

  for (const name of [
    '..',
    '../..',
    '../../../etc',
    '/etc/passwd',
    'a/../../b',
    '..\\..',
    'a\0b',
    '%2e%2e%2f',
    '~',
    'C:\\x',
  ]) {
    it(`has everything of a stream and a source with a name such as ${JSON.stringify(name)} in its folder`, async () => {
      const outside = readdirSync(join(root, '..')).toSorted();
      const stream = streamIdOf('acme', name);
      publishers.set(key(stream, name), PUBLISHER);
      engine.emit('live', stream, name, ['audio', 'video']);
      await ordered(1);
      recorder.begin(timers.now);
      recorder.write(100, 10_000);
      await service.setRecording(stream, name, false);
      const { accountId, streamName } = namesOf(stream);
      await until(async () => {
        const { recordings } = await store.list(accountId, { page: 1, itemsOnPage: 1, streamName });
        return recordings[0]?.state === 'ready';
      });
      const written = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      assert.deepEqual(written.map((entry) => entry.name).toSorted(), [
        '.node',
        'groups.json',
        'part-1.mkv',
        'recording.mp4',
      ]);
      const folders = written.map(({ parentPath }) => parentPath.slice(root.length).replaceAll('\\', '/'));
      for (const folder of new Set(folders)) assert.match(folder, /^(?:\/[0-9a-f]{32}\/[\w-]{22})?$/);
      assert.deepEqual(readdirSync(join(root, '..')).toSorted(), outside);
    });
  }

  it('saves what is written while it grows', async () => {
    await record();
    timers.elapse(SAVE_EVERY_MS);
    await until(async () => (await listed())[0]?.bytes === 100);
    assert.deepEqual((await listed())[0]?.parts, [aRecordedPart({ bytes: 100, durationMs: 10_000 })]);
  });

  it('stops on command, stays live, and begins another recording on command', async () => {
    await record();
    await service.setRecording(streamIdOf('acme', 'main'), null, false);
    assert.equal(service.isRecording(streamIdOf('acme', 'main'), null), false);
    await inState('ready');
    engine.emit('ended', 'acme/main', null);
    engine.emit('live', 'acme/main', null, ['audio', 'video']);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(recorder.orders.length, 1);
    await service.setRecording(streamIdOf('acme', 'main'), null, true);
    await ordered(2);
    assert.equal((await listed()).length, 2);
    const entries = (await audit.list('acme', { page: 1, itemsOnPage: 9 })).entries.map(({ action }) => action);
    assert.deepEqual(
      entries.filter((action) => action.startsWith('recording')),
      ['recording_started', 'recording_stopped'],
    );
  });

  it('forgets a command when the publisher stays away', async () => {
    await record();
    await service.setRecording(streamIdOf('acme', 'main'), null, false);
    ended();
    timers.elapse(COME_BACK_MS);
    live();
    await ordered(2);
  });

  it('records a source that was switched on before it was live', async () => {
    recording.clear();
    publishers.set(key('acme/main', null), { ...PUBLISHER, isLive: false });
    await service.setRecording(streamIdOf('acme', 'main'), null, true);
    assert.equal(recorder.orders.length, 0);
    live();
    await ordered(1);
  });

  it('does nothing twice', async () => {
    await record();
    await service.setRecording(streamIdOf('acme', 'main'), null, true);
    live();
    assert.equal(recorder.orders.length, 1);
    await service.setRecording(streamIdOf('acme', 'main'), null, false);
    await service.setRecording(streamIdOf('acme', 'main'), null, false);
    await inState('ready');
    assert.equal(packager.calls.length, 1);
  });

  it('keeps the parts of a recording that cannot be made ready, and makes it at the next start', async () => {
    packager.failure = new Error('no');
    await record();
    leave();
    await until(async () => (await inState('finishing')).fault === 'finish_failed');
    const { id } = await inState('finishing');
    await service.close();
    packager.failure = undefined;
    await start();
    await service.recover();
    const ready = await inState('ready');
    assert.deepEqual([ready.id, ready.fault, ready.bytes], [id, null, 100]);
  });

  it('tries again by itself to make the file of a recording, and keeps what was lost of it before', async () => {
    packager.failure = new PackagerError('no space', 'disk_full');
    await record();
    recorder.end('recorder_lost');
    leave();
    await until(() => packager.calls.length === 1 && lines.includes(NOT_FINISHED));
    const failing = await inState('finishing');
    timers.elapse(30_000);
    await until(() => lines.filter((line) => line === NOT_FINISHED).length === 2);
    packager.failure = undefined;
    timers.elapse(60_000);
    const ready = await inState('ready');
    assert.deepEqual([ready.id, ready.fault, ready.bytes], [failing.id, 'recorder_lost', 100]);
  });

  it('tries again within a second when the packager ended', async () => {
    packager.failure = new PackagerError('the packager ended', 'unavailable');
    await record();
    leave();
    await until(() => lines.includes(NOT_FINISHED));
    assert.equal((await inState('finishing')).fault, 'finish_failed');
    packager.failure = undefined;
    timers.elapse(1_000);
    assert.deepEqual([(await inState('ready')).fault, packager.calls.length], [null, 2]);
  });

  it('gives up when the parts cannot be read, keeps them, and tries again when the owner wants it', async () => {
    packager.failure = new PackagerError('garbage', 'unreadable');
    const { readPart } = packager;
    packager.readPart = (file) => readPart.call(new FakePackager(), file);
    await record();
    leave();
    await until(() => lines.includes(NOT_FINISHED));
    timers.elapse(1_000);
    const failed = await inState('failed');
    assert.equal(failed.fault, 'finish_failed');
    assert.equal(existsSync(files.fileOf(failed, 'part-1.mkv')), true);
    timers.elapse(3_600_000);
    packager.failure = undefined;
    await service.finishNow(failed);
    assert.equal((await inState('ready')).bytes, 100);
  });

  it('finishes only what is over, and has parts on this server', async () => {
    const finish = (fields: Partial<RecordingRecord>) =>
      service.finishNow(aRecording({ state: 'finishing', nodeId: files.nodeId, parts: [aRecordedPart()], ...fields }));
    await assert.rejects(finish({ state: 'recording' }), { code: 'recording_in_progress' });
    await assert.rejects(finish({ nodeId: 'another' }), { code: 'recording_file_missing' });
    await assert.rejects(finish({ state: 'failed', parts: [] }), { code: 'recording_not_ready' });
    await finish({ state: 'ready', nodeId: 'another' });
  });

  it('finishes at the next start what the server recorded when it was killed', async () => {
    const part = aRecordedPart({ startsAt: RECORDED_ON + 5 });
    const killed = aRecording({
      state: 'recording',
      endedOn: null,
      container: null,
      nodeId: files.nodeId,
      parts: [part],
    });
    await store.add(killed);
    mkdirSync(files.folderOf(killed), { recursive: true });
    writeFileSync(files.fileOf(killed, 'part-1.mkv'), 'm'.repeat(70));
    writeFileSync(files.fileOf(killed, 'part-2.mkv'), 'garbage');
    await service.recover();
    const ready = await inState('ready');
    assert.deepEqual([ready.fault, ready.bytes, ready.startedOn], ['recorder_lost', 70, RECORDED_ON + 5]);
    await until(async () => (await listed())[0]?.parts.length === 0);
    assert.deepEqual(readdirSync(files.folderOf(ready)).toSorted(), ['groups.json', 'recording.mp4']);
    assert.ok(lines.includes('a part of a recording cannot be read'));
  });

  it('leaves the recordings of another server alone', async () => {
    await store.add(aRecording({ state: 'recording', nodeId: 'another' }));
    await service.recover();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await listed())[0]?.state, 'recording');
  });

  it('makes what it recorded ready at the next start when it was stopped', async () => {
    await record();
    await inState('recording');
    await service.close();
    assert.equal(recorder.isClosed, true);
    const { state, fault } = (await listed())[0]!;
    assert.deepEqual([state, fault], ['finishing', null]);
    await start();
    await service.recover();
    assert.equal((await inState('ready')).fault, null);
  });

  it('records nothing more when the quota is used, and says so', async () => {
    await store.updateSettings('acme', { quotaBytes: 90 }, 1);
    await store.add(aRecording({ bytes: 90 }));
    live();
    await until(() => changes.length > 0);
    assert.deepEqual(changes, [{ stream: 'acme/main', sourceId: null, isRecording: false, fault: 'quota_exceeded' }]);
    await assert.rejects(service.setRecording(streamIdOf('acme', 'main'), null, true), { code: 'quota_exceeded' });
    assert.equal(recorder.orders.length, 0);
  });

  it('ends a recording that reaches the quota', async () => {
    await store.updateSettings('acme', { quotaBytes: 100 }, 1);
    await record();
    timers.elapse(SAVE_EVERY_MS);
    const ready = await inState('ready');
    assert.deepEqual([ready.fault, ready.bytes], ['quota_exceeded', 100]);
    assert.ok(lines.includes('an account has used its space for recordings: nothing more is recorded'));
  });

  it('sets the expiry by the settings of the account', async () => {
    await store.updateSettings('acme', { retentionDays: 2 }, 1);
    live();
    assert.equal((await inState('recording')).expiresOn, RECORDED_ON + 2 * 86_400_000);
  });

  it('sets the expiry of a recording and its clips by the token, which takes precedence over the account', async () => {
    await store.updateSettings('acme', { retentionDays: 2 }, 1);
    tokenRetentionDays = 5;
    await record();
    assert.equal((await inState('recording')).expiresOn, RECORDED_ON + 5 * 86_400_000);
    const clip = await service.clips.ofStream('acme', 'main', { sourceId: null, seconds: 4 });
    assert.equal(clip.expiresOn, clip.endedOn! + 5 * 86_400_000);
  });

  it('cuts a clip of the last seconds while it is recorded', async () => {
    await record();
    await inState('recording');
    const clip = await service.clips.ofStream('acme', 'main', { sourceId: null, seconds: 4 });
    assert.deepEqual(
      [clip.kind, clip.state, clip.startedOn, clip.endedOn],
      ['clip', 'finishing', RECORDED_ON + 6_000, RECORDED_ON + 10_000],
    );
    const ready = await inState('ready');
    assert.deepEqual([ready.id, ready.kind], [clip.id, 'clip']);
    assert.deepEqual(packager.calls[0]?.range, { from: RECORDED_ON + 6_000, to: RECORDED_ON + 10_000 });
    assert.equal(service.isRecording(streamIdOf('acme', 'main'), null), true);
  });

  it('cuts a clip of everything when it is to be longer than that', async () => {
    await record();
    await inState('recording');
    const clip = await service.clips.ofStream('acme', 'main', { sourceId: null, seconds: 3_600 });
    assert.deepEqual([clip.startedOn, clip.endedOn], [RECORDED_ON, RECORDED_ON + 10_000]);
  });

  for (const [when, end] of [
    ['the publisher has left, and may come back', (): void => ended()],
    [
      'the recording was stopped on command',
      (): void => void service.setRecording(streamIdOf('acme', 'main'), null, false),
    ],
  ] as const) {
    it(`cuts a clip of the last seconds before the end when ${when}`, async () => {
      await record();
      end();
      recorder.end(when.includes('left') ? 'source_ended' : 'stopped');
      timers.now += 50_000;
      const clip = await service.clips.ofStream('acme', 'main', { sourceId: null, seconds: 4 });
      assert.deepEqual([clip.startedOn, clip.endedOn], [RECORDED_ON + 6_000, RECORDED_ON + 10_000]);
    });
  }

  it('cuts a clip of a recording that is ready, as long as its parts are kept', async () => {
    await record();
    leave();
    const { id } = await inState('ready');
    const clip = await service.clips.ofStream('acme', 'main', { sourceId: null, seconds: 4 });
    assert.deepEqual([clip.startedOn, clip.endedOn], [RECORDED_ON + 6_000, RECORDED_ON + 10_000]);
    await until(async () => (await store.findAny(clip.id))?.state === 'ready');
    await until(() => {
      timers.elapse(PARTS_KEPT_MS);
      return !existsSync(files.fileOf({ accountId: 'acme', id }, 'part-1.mkv'));
    });
    await assert.rejects(service.clips.ofStream('acme', 'main', { sourceId: null, seconds: 4 }), {
      code: 'not_recorded',
    });
  });

  it('cuts no clip of a recording that became several files, because their codecs differ', async () => {
    await record();
    recorder.end('codec_changed');
    await ordered(2);
    recorder.begin(timers.now, { video: { codec: 'vp9', width: 1_280, height: 720 } });
    recorder.write(100, 10_000);
    timers.now += 10_000;
    leave();
    await until(async () => (await listed()).filter(({ state }) => state === 'ready').length === 2);
    await assert.rejects(service.clips.ofStream('acme', 'main', { sourceId: null, seconds: 4 }), {
      code: 'not_recorded',
    });
  });

  it('cuts a piece of a recording of any age from its file, which the clip keeps when the recording is deleted', async () => {
    await record();
    leave();
    const { id } = await inState('ready');
    // Parts are kept for some minutes after the file is ready.
    await until(() => {
      timers.elapse(PARTS_KEPT_MS);
      return !existsSync(files.fileOf({ accountId: 'acme', id }, 'part-1.mkv'));
    });
    timers.now += 365 * 86_400_000;
    const source = (await store.findAny(id))!;
    packager.failure = new PackagerError('the packager ended', 'unavailable');
    // The fake file has 100 ms.
    const clip = await service.clips.ofRecording(source, { start: 0.02, length: 3_600 });
    assert.deepEqual(
      [clip.kind, clip.state, clip.startedOn, clip.endedOn, clip.parts.map(({ name }) => name)],
      ['clip', 'finishing', RECORDED_ON + 20, RECORDED_ON + 100, ['part-1.mp4']],
    );
    await until(() => lines.includes(NOT_FINISHED));
    await service.close();
    packager.failure = undefined;
    await store.remove('acme', id, 1);
    await files.removeAll(source);
    await start();
    await service.recover();
    const ready = await inState('ready');
    assert.deepEqual([ready.id, ready.bytes, ready.fault], [clip.id, 100, null]);
    assert.deepEqual(packager.calls.at(-1)?.range, { from: RECORDED_ON + 20, to: RECORDED_ON + 100 });
    await until(() => !existsSync(files.fileOf(clip, 'part-1.mp4')));
  });

  it('cuts nothing behind the end of a recording, and nothing when the space is used', async () => {
    const source = aRecording({ nodeId: files.nodeId });
    await assert.rejects(service.clips.ofRecording(source, { start: 3_600, length: 10 }), { code: 'not_recorded' });
    await store.updateSettings('acme', { quotaBytes: 90 }, 1);
    await store.add(aRecording({ bytes: 90 }));
    await assert.rejects(service.clips.ofRecording(source, { start: 0, length: 10 }), { code: 'quota_exceeded' });
  });

  it('cuts no clip of a recording that was deleted', async () => {
    await record();
    leave();
    await store.remove('acme', (await inState('ready')).id, 1);
    await assert.rejects(service.clips.ofStream('acme', 'main', { sourceId: null, seconds: 4 }), {
      code: 'not_recorded',
    });
  });

  it('cuts a clip at the next start that could not be cut before, though its broadcast is deleted', async () => {
    await record();
    await inState('recording');
    packager.failure = new PackagerError('the packager ended', 'unavailable');
    const clip = await service.clips.ofStream('acme', 'main', { sourceId: null, seconds: 4 });
    await until(() => lines.includes(NOT_FINISHED));
    await service.close();
    packager.failure = undefined;
    const broadcast = (await listed()).find(({ kind }) => kind === 'broadcast')!;
    await store.remove('acme', broadcast.id, 1);
    await files.removeAll(broadcast);
    await start();
    await service.recover();
    const { id, startedOn, endedOn, fault } = await inState('ready');
    assert.deepEqual([id, startedOn, endedOn, fault], [clip.id, clip.startedOn, clip.endedOn, null]);
    assert.deepEqual(packager.calls.at(-1)?.range, { from: RECORDED_ON + 6_000, to: RECORDED_ON + 10_000 });
    await until(() => !existsSync(files.fileOf(clip, 'part-1.mkv')));
  });

  it('cuts no clip of a stream that is not recorded', async () => {
    await assert.rejects(service.clips.ofStream('acme', 'main', { sourceId: null, seconds: 4 }), {
      code: 'not_recorded',
    });
    live();
    await ordered(1);
    await assert.rejects(service.clips.ofStream('acme', 'main', { sourceId: null, seconds: 4 }), {
      code: 'not_recorded',
    });
  });

  it('shows viewers who go back the parts until some time after the end, then the file', async () => {
    await record();
    const open = service.reader.findOpen('acme', 'main');
    assert.deepEqual([open?.isOpen, open?.parts.length, open?.parts[0]?.groups.length], [true, 1, 1]);
    leave();
    const { id } = await inState('ready');
    assert.equal(service.reader.findOpen('acme', 'main'), undefined);
    const over = await service.reader.findLatest('acme', 'main');
    assert.deepEqual([over?.id, over?.isOpen, over?.parts[0]?.id], [id, false, 'part-1']);
    // The timer begins when the file is ready.
    await until(async () => {
      timers.elapse(PARTS_KEPT_MS);
      return (await service.reader.findById(id))?.parts[0]?.id === 'recording';
    });
    await until(() => !existsSync(files.fileOf({ accountId: 'acme', id }, 'part-1.mkv')));
    assert.equal((await service.reader.findLatest('acme', 'main', 'none'))?.id, undefined);
  });

  it('removes the file of a recording that was deleted while it was made ready', async () => {
    await record();
    await inState('recording');
    let release: (() => void) | undefined;
    const finish = packager.finish.bind(packager);
    packager.finish = async (...args) => {
      await new Promise<void>((resolve) => (release = resolve));
      return await finish(...args);
    };
    leave();
    const { id } = await inState('finishing');
    await until(() => release !== undefined);
    assert.notEqual(await store.remove('acme', id, 1), 'open');
    release?.();
    await until(() => !existsSync(files.folderOf({ accountId: 'acme', id })));
    assert.deepEqual(await listed(), []);
  });

  it('keeps recording when the database is away, and saves later', async () => {
    const { add } = store;
    store.add = async () => {
      throw new Error('away');
    };
    await record();
    assert.equal(service.isRecording(streamIdOf('acme', 'main'), null), true);
    await until(() => lines.includes('a recording could not be saved'));
    store.add = add;
    timers.elapse(SAVE_EVERY_MS);
    assert.equal((await inState('recording')).bytes, 100);
  });

  it('makes the file when the database was away at the end of the broadcast, and nothing of it is lost', async () => {
    await record();
    await inState('recording');
    const { save } = store;
    store.save = async () => {
      throw new Error('away');
    };
    leave();
    await until(() => lines.includes(NOT_FINISHED));
    store.save = save;
    timers.elapse(15 * 60_000);
    const { fault, bytes } = await inState('ready');
    assert.deepEqual({ fault, bytes }, { fault: null, bytes: 100 });
  });
});

import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import type { OpenPart } from '../../../../server/recording/open/open-part.js';
import { partKey, type RecordingRecord } from '../../../../server/recording/recording-record.js';
import { PartCopies, TAIL_EVERY_MS, type CopiedRecording } from '../../../../server/recording/storage/part-copies.js';
import { restorePart } from '../../../../server/recording/storage/part-restore.js';
import { PIECE_BYTES, S3Storage } from '../../../../server/recording/storage/s3-storage.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { until } from '../../../support/media/until.js';
import { aRecording, RECORDED_ON } from '../../../support/recording.js';
import { TestTimers } from '../../../support/recording-fakes.js';
import { s3Gate, type S3Gate } from '../../../support/s3-gate.js';

const NOT_COPIED = 'a piece of a recording was not copied to S3: it is in the folder';
const RETRY_MS = 30_000;

describe('PartCopies', () => {
  const cleanup = new Cleanup();
  let gate: S3Gate;
  let storage: S3Storage;
  let timers: TestTimers;
  let folder: string;
  let lines: string[];
  let record: RecordingRecord;
  let part: OpenPart;
  let recording: CopiedRecording & { phase: CopiedRecording['phase'] };
  /** What the owner is told of the copy, in order. */
  let told: boolean[];
  /** The number of pieces in the database. Undefined: it knows of no copy. */
  let known: number | undefined;
  let isDatabaseAway: boolean;
  let copies: PartCopies;

  beforeEach(async () => {
    gate = await s3Gate(cleanup);
    storage = new S3Storage(gate.options);
    timers = new TestTimers(RECORDED_ON);
    folder = await dataFolder(cleanup);
    lines = [];
    record = aRecording({ state: 'recording', container: null, endedOn: null });
    told = [];
    const setCopied = (canCopy: boolean) => {
      if (told.at(-1) !== canCopy) told.push(canCopy);
    };
    recording = { id: record.id, phase: 'writing', record, setCopied };
    known = undefined;
    isDatabaseAway = false;
    const file = join(folder, 'part-1.mkv');
    await writeFile(file, '');
    const start = { partId: 'x/1', file, startsAt: RECORDED_ON, audio: undefined, video: undefined };
    const sums = { bytes: 0, durationMs: 0, width: 0, height: 0, framesLost: 0, isDiskSlow: false, isOpen: true };
    part = { partId: 'x/1', start, groups: [], backup: undefined, ...sums };
    copies = new PartCopies({
      storage,
      save: async () => {
        if (!isDatabaseAway) known = part.backup?.etags.length;
        return !isDatabaseAway;
      },
      startTimer: timers.startTimer,
      now: () => timers.now,
      log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
    });
    cleanup.after(() => copies.close());
  });
  afterEach(() => cleanup.run());

  let letter = 0;
  const append = async (bytes: number) => {
    await appendFile(part.start.file, Buffer.alloc(bytes, `${(letter += 1)}`));
    part.bytes += bytes;
  };
  const grow = async (bytes: number) => {
    await append(bytes);
    copies.follow(recording, part);
  };
  const pieces = (count: number) => until(`${count} pieces are known`, () => known === count);
  /** What another machine makes of the copy. */
  const restored = async (): Promise<Buffer> => {
    const path = join(folder, 'restored.mkv');
    if (!part.backup) return Buffer.alloc(0);
    const backup = { ...part.backup, etags: part.backup.etags.slice(0, known) };
    return (await restorePart(storage, backup, path)) > 0 ? await readFile(path) : Buffer.alloc(0);
  };
  const hasAll = async () => {
    const expected = await readFile(part.start.file);
    // A connection that was cut while S3 was away fails the first question.
    const read = () => restored().catch(() => Buffer.alloc(0));
    await until('the copy is whole', async () => (await read()).equals(expected));
  };
  const keyInS3 = () => part.backup?.key;
  const writes = () => gate.requests.filter((request) => request.startsWith('PUT')).length;
  const logged = (line: string, count = 1) => until(line, () => lines.filter((each) => each === line).length === count);

  it('copies what was written in the last ten seconds, however little it is', async () => {
    await grow(100);
    timers.now += TAIL_EVERY_MS - 1;
    await grow(100);
    assert.equal(part.backup, undefined);
    timers.now += 1;
    await grow(100);
    await hasAll();
    assert.equal(known, 0);
    assert.equal(keyInS3(), partKey(record, { name: 'part-1.mkv' }));
  });

  it('copies each piece, with the end after it', async () => {
    await grow(PIECE_BYTES - 1);
    assert.equal(part.backup, undefined);
    await grow(1);
    await pieces(1);
    timers.now += TAIL_EVERY_MS;
    await grow(200);
    await grow(2 * PIECE_BYTES);
    await pieces(3);
    timers.now += TAIL_EVERY_MS;
    await grow(1);
    await hasAll();
  });

  it('writes the end of a slow stream with one request each ten seconds', async () => {
    await grow(1);
    for (let second = 0; second < 600; second += 10) {
      timers.now += TAIL_EVERY_MS;
      const before = writes();
      await grow(4_000);
      await until('it is copied', () => {
        copies.follow(recording, part);
        return writes() === before + 1;
      });
    }
    await hasAll();
    assert.equal(writes(), 60);
  });
  it('copies the end of a part that has ended at once', async () => {
    await append(300);
    part.isOpen = false;
    copies.follow(recording, part);
    await until('it is known', () => known === 0);
    await hasAll();
  });

  it('relies on no piece that the database does not know, and goes on when it does', async () => {
    await grow(500);
    timers.now += TAIL_EVERY_MS;
    await grow(0);
    await hasAll();
    isDatabaseAway = true;
    await grow(PIECE_BYTES);
    await logged(NOT_COPIED);
    assert.deepEqual([part.backup?.etags.length, known], [1, 0]);
    // The tail of before is still there.
    assert.equal((await restored()).length, 500);
    isDatabaseAway = false;
    timers.elapse(RETRY_MS);
    await pieces(1);
    timers.now += TAIL_EVERY_MS;
    await grow(1);
    await hasAll();
  });

  for (const state of ['away', 'forbidden'] as const) {
    it(`goes on half a minute after S3 was ${state}, with the piece that it did not take`, async () => {
      await grow(PIECE_BYTES);
      await pieces(1);
      gate.state = state;
      await grow(2 * PIECE_BYTES);
      await logged(NOT_COPIED);
      gate.state = 'open';
      timers.elapse(RETRY_MS - 1);
      copies.follow(recording, part);
      assert.equal(known, 1);
      timers.elapse(1);
      await pieces(3);
      assert.deepEqual(told, [true, false, true]);
    });

    it(`copies a part to its end that ended while S3 was ${state}`, async () => {
      gate.state = state;
      await append(300);
      part.isOpen = false;
      copies.follow(recording, part);
      await logged(NOT_COPIED);
      gate.state = 'open';
      timers.elapse(RETRY_MS);
      await hasAll();
    });
  }

  it('keeps nothing of a part whose recording is over before S3 is back', async () => {
    gate.state = 'away';
    await grow(PIECE_BYTES);
    await logged(NOT_COPIED);
    assert.equal(copies.count, 1);
    recording.phase = 'over';
    timers.elapse(RETRY_MS);
    assert.equal(copies.count, 0);
  });

  it('begins one upload, however often S3 does not take its first piece', async () => {
    gate.fails = (request) => request.includes('partNumber=1');
    await grow(PIECE_BYTES);
    await logged(NOT_COPIED);
    timers.elapse(RETRY_MS);
    await logged(NOT_COPIED, 2);
    gate.fails = () => false;
    timers.elapse(RETRY_MS);
    await pieces(1);
    assert.equal(gate.requests.filter((request) => /^POST .*[?]uploads/.test(request)).length, 1);
  });

  it('copies nothing of a recording that is over, and leaves no upload that began too late', async () => {
    const { beginUpload } = storage;
    storage.beginUpload = async (...args) => {
      recording.phase = 'over';
      return await beginUpload.apply(storage, args);
    };
    await grow(PIECE_BYTES);
    await until('the upload is dropped', () => gate.requests.some((request) => /^DELETE .*uploadId=/.test(request)));
    const requests = gate.requests.length;
    await grow(PIECE_BYTES);
    await copies.close();
    assert.deepEqual(part.backup?.etags, []);
    assert.equal(gate.requests.slice(requests).filter((request) => request.startsWith('PUT')).length, 0);
  });
});

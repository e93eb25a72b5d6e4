import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DatabaseUnavailableError } from '../../../server/errors.js';
import { ViewingRecorder } from '../../../server/statistics/viewing-recorder.js';
import { SLOT_MS, type CountedReport, type StoredViewingSlot } from '../../../server/statistics/viewing-sums.js';

const MAIN = { accountId: 'acme', streamName: 'main' };
const REPORT: CountedReport = {
  playedMs: 10_000,
  freezes: 0,
  frozenMs: 0,
  packets: 0,
  lost: 0,
  height: undefined,
  roundTripMs: undefined,
  firstPictureMs: undefined,
};

describe('ViewingRecorder', () => {
  let saved: StoredViewingSlot[];
  let failure: Error | undefined;
  let dropped: number;
  let isReportBroken: boolean;
  let now: number;
  let overloadedOn: number | undefined;
  let recorder: ViewingRecorder;
  beforeEach(() => {
    saved = [];
    failure = undefined;
    dropped = 0;
    isReportBroken = false;
    now = 0;
    overloadedOn = undefined;
    recorder = new ViewingRecorder({
      store: {
        save: async (_serverId, slots) => {
          if (failure) throw failure;
          saved.push(...slots);
        },
        streams: async () => new Map(),
        stream: async () => [],
        worst: async () => undefined,
        pruneSlots: async () => {},
      },
      serverId: 'a',
      now: () => now,
      overloadedOn: () => overloadedOn,
      onDropped: (count) => {
        dropped += count;
        if (isReportBroken) throw new Error('broken');
      },
    });
  });
  afterEach(() => recorder.close());

  const rows = () =>
    saved.map(({ slot, playedMs, viewers, frozenViewers }) => [slot, playedMs, viewers, frozenViewers]);

  it('writes again after a write that threw', async () => {
    isReportBroken = true;
    failure = new Error('a row that cannot be written');
    recorder.add(MAIN, 'v', REPORT);
    await assert.rejects(recorder.flush(), { message: 'broken' });
    failure = undefined;
    recorder.add(MAIN, 'w', REPORT);
    await recorder.flush();
    assert.equal(saved.length, 1);
  });

  it('keeps that the server was overloaded while something happened that is reported then', async () => {
    recorder.add(MAIN, 'v', REPORT);
    await recorder.flush();
    now = 60_000;
    overloadedOn = 50_000;
    recorder.add(MAIN, 'v', REPORT);
    now = 70_000;
    recorder.add(MAIN, 'v', REPORT);
    await recorder.flush();
    now = SLOT_MS;
    recorder.add(MAIN, 'v', REPORT);
    await recorder.flush();
    assert.deepEqual(
      saved.map(({ slot, isOverloaded }) => [slot, isOverloaded]),
      [
        [0, false],
        [0, true],
        [1, false],
      ],
    );
  });

  it('counts a viewer once in five minutes, and again in the next', async () => {
    recorder.add(MAIN, 'v', REPORT);
    recorder.add(MAIN, 'v', { ...REPORT, freezes: 1 });
    recorder.add(MAIN, 'w', REPORT);
    now = SLOT_MS;
    recorder.add(MAIN, 'v', REPORT);
    await recorder.flush();
    assert.deepEqual(rows(), [
      [0, 30_000, 2, 1],
      [1, 10_000, 1, 0],
    ]);
  });

  it('writes nothing twice, and the whole sums of five minutes that went on', async () => {
    recorder.add(MAIN, 'v', REPORT);
    await recorder.flush();
    await recorder.flush();
    recorder.add(MAIN, 'v', REPORT);
    await recorder.flush();
    assert.deepEqual(rows(), [
      [0, 10_000, 1, 0],
      [0, 20_000, 1, 0],
    ]);
  });

  it('keeps the sums while the database is away', async () => {
    failure = new DatabaseUnavailableError();
    recorder.add(MAIN, 'v', REPORT);
    await recorder.flush();
    failure = undefined;
    await recorder.flush();
    assert.deepEqual([rows(), dropped], [[[0, 10_000, 1, 0]], 0]);
  });

  it('says what it drops when the database refuses it', async () => {
    failure = new Error('refused');
    recorder.add(MAIN, 'v', REPORT);
    await recorder.flush();
    failure = undefined;
    await recorder.flush();
    assert.deepEqual([rows(), dropped], [[], 1]);
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { StoredSession } from '../../../../server/oversight/session-record.js';
import type { SessionStore } from '../../../../server/oversight/session-store.js';
import { HOUR_MS } from '../../../../server/statistics/hour-statistics.js';
import type { StatisticsStore } from '../../../../server/statistics/statistics-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { aStoredSession, sessionIdOf } from './session-store.contract.js';

export interface StatisticsStores {
  readonly sessions: SessionStore;
  readonly statistics: StatisticsStore;
}

/** A day of UTC begins. */
const HOUR = 24 * 1_000;
const BEGIN = HOUR * HOUR_MS;
const ALL = { from: 0, to: HOUR * 2 };
const PAGE = { limit: 100, offset: 0 };

/** The contract of StatisticsStore. `open` returns empty stores with the accounts acme and other. */
export function statisticsStoreContract(name: string, open: (cleanup: Cleanup) => Promise<StatisticsStores>): void {
  describe(`${name} as a StatisticsStore`, () => {
    const cleanup = new Cleanup();
    let sessions: SessionStore;
    let statistics: StatisticsStore;
    let made: number;

    beforeEach(async () => {
      ({ sessions, statistics } = await open(cleanup));
      made = 0;
    });
    afterEach(() => cleanup.run());

    /** A viewer who opened, watched and left within one minute of `hour`. */
    const aViewer = (hour: number, overrides: Partial<StoredSession> = {}): StoredSession => {
      const time = hour * HOUR_MS;
      made += 1;
      return aStoredSession({
        id: sessionIdOf(made),
        openedOn: time,
        connectedOn: time,
        firstMediaOn: time,
        seenOn: time + 60_000,
        endedOn: time + 60_000,
        mediaMs: 60_000,
        ...overrides,
      });
    };
    const rollUp = async (isOver = true) => {
      for (const hour of await statistics.hoursToRollUp()) await statistics.rollUp(hour, isOver);
    };
    const watched = async (accountId = 'acme') =>
      (await statistics.streams(accountId, ALL, PAGE)).rows.map(({ streamName, watchedMs }) => [streamName, watchedMs]);

    it('asks for the hours in which sessions were saved, until they are over', async () => {
      await sessions.save([aViewer(HOUR + 1), aViewer(HOUR), aViewer(HOUR)]);
      assert.deepEqual(await statistics.hoursToRollUp(), [HOUR, HOUR + 1]);
      await statistics.rollUp(HOUR, true);
      await statistics.rollUp(HOUR + 1, false);
      assert.deepEqual(await statistics.hoursToRollUp(), [HOUR + 1]);
      await sessions.save([aViewer(HOUR)]);
      assert.deepEqual(await statistics.hoursToRollUp(), [HOUR, HOUR + 1]);
    });

    it('repeats a roll-up without counting twice', async () => {
      const viewer = aViewer(HOUR);
      await sessions.save([viewer]);
      await rollUp(false);
      await rollUp();
      await sessions.save([viewer]);
      await rollUp();
      assert.deepEqual(await watched(), [['main', 60_000]]);
    });

    it('divides what a long session watched among its hours', async () => {
      const open = aViewer(HOUR, { endedOn: null, reason: null });
      for (const [minutes, mediaMs] of [
        [30, 1_800_000],
        [59, 3_540_000],
        [61, 3_660_000],
        [200, 12_000_000],
      ] as const) {
        await sessions.save([{ ...open, seenOn: BEGIN + minutes * 60_000, mediaMs }]);
        await rollUp(false);
      }
      await rollUp();
      const periods = await statistics.stream('acme', 'main', ALL, 1);
      assert.deepEqual(
        periods.map(({ hour, watchedMs, viewerSessions, peakViewers }) => [
          hour - HOUR,
          watchedMs,
          viewerSessions,
          peakViewers,
        ]),
        [
          [0, 3_540_000, 1, 1],
          [1, 120_000, 0, 1],
          [3, 8_340_000, 0, 1],
        ],
      );
    });

    it('lists streams by what was watched, page by page, for each account alone', async () => {
      await sessions.save([
        aViewer(HOUR, { streamName: 'a' }),
        aViewer(HOUR, { streamName: 'b', mediaMs: 70_000 }),
        aViewer(HOUR + 2, { streamName: 'a', mediaMs: 20_000 }),
        aViewer(HOUR, { streamName: 'c', accountId: 'other' }),
      ]);
      await rollUp();
      assert.deepEqual(await watched(), [
        ['a', 80_000],
        ['b', 70_000],
      ]);
      assert.deepEqual(await watched('other'), [['c', 60_000]]);
      const second = await statistics.streams('acme', ALL, { limit: 1, offset: 1 });
      assert.deepEqual(second.rows, [
        {
          streamName: 'b',
          viewerSessions: 1,
          watchedMs: 70_000,
          publisherSessions: 0,
          broadcastMs: 0,
          peakViewers: 1,
        },
      ]);
      assert.equal(second.total, 2);
      const behindTheLast = await statistics.streams('acme', ALL, { limit: 1, offset: 2 });
      assert.deepEqual(behindTheLast, { rows: [], total: 2 });
      assert.equal((await statistics.streams('acme', { from: HOUR + 1, to: HOUR + 3 }, PAGE)).total, 1);
      assert.deepEqual(await statistics.streams('acme', { from: HOUR + 90, to: HOUR + 91 }, PAGE), {
        rows: [],
        total: 0,
      });
    });

    it('sums the hours of a day, where the peak is that of one hour', async () => {
      await sessions.save([
        aViewer(HOUR - 1),
        aViewer(HOUR),
        aViewer(HOUR),
        aViewer(HOUR + 23),
        aViewer(HOUR + 24, { role: 'publisher' }),
        aViewer(HOUR, { streamName: 'side' }),
      ]);
      await rollUp();
      const days = await statistics.stream('acme', 'main', ALL, 24);
      assert.deepEqual(
        days.map(({ hour, viewerSessions, peakViewers, broadcastMs }) => [
          hour - HOUR,
          viewerSessions,
          peakViewers,
          broadcastMs,
        ]),
        [
          [-24, 1, 1, 0],
          [0, 3, 2, 0],
          [24, 0, 0, 60_000],
        ],
      );
      assert.deepEqual(
        (await statistics.days('acme', { from: HOUR, to: HOUR + 24 })).map(({ hour, streams, viewerSessions }) => [
          hour - HOUR,
          streams,
          viewerSessions,
        ]),
        [[0, 2, 4]],
      );
    });

    it('sums what each token was used for', async () => {
      await sessions.save([
        aViewer(HOUR, { tokenId: 7 }),
        aViewer(HOUR + 1, { tokenId: 7 }),
        aViewer(HOUR, { tokenId: 8, mediaMs: 500 }),
        aViewer(HOUR, { tokenId: null }),
        aViewer(HOUR, { tokenId: 9, accountId: 'other' }),
      ]);
      await rollUp();
      const seven = {
        tokenId: 7,
        kind: 'subscribe',
        sessions: 2,
        mediaMs: 120_000,
        firstUsedOn: BEGIN,
        lastUsedOn: BEGIN + HOUR_MS + 60_000,
      };
      const { rows, total } = await statistics.tokens('acme', ALL, PAGE);
      const [first, second, ...others] = rows;
      assert.deepEqual([first, second?.tokenId, others], [seven, 8, []]);
      assert.deepEqual(await statistics.token('acme', 7, ALL), seven);
      assert.equal(await statistics.token('acme', 9, ALL), undefined);
      assert.equal(total, 2);
    });

    it('names the addresses that used a token, the latest first', async () => {
      await sessions.save([
        aViewer(HOUR, { address: '192.0.2.1' }),
        aViewer(HOUR + 1, { address: '192.0.2.2' }),
        aViewer(HOUR + 2, { address: '192.0.2.1' }),
        aViewer(HOUR + 3, { address: '192.0.2.3', tokenId: 8 }),
      ]);
      const { total, latest } = await statistics.tokenAddresses('acme', 7, 1);
      assert.equal(total, 2);
      assert.deepEqual(latest, [{ address: '192.0.2.1', sessions: 2, lastUsedOn: BEGIN + 2 * HOUR_MS + 60_000 }]);
      assert.deepEqual(await statistics.tokenAddresses('other', 7, 1), { total: 0, latest: [] });
    });

    it('keeps the sums when the sessions are deleted, and deletes old sums', async () => {
      await sessions.save([aViewer(HOUR), aViewer(HOUR + 5)]);
      await rollUp();
      await sessions.prune(BEGIN + 1_000 * HOUR_MS);
      await rollUp();
      assert.deepEqual(await watched(), [['main', 120_000]]);
      await statistics.prune(HOUR + 5);
      assert.deepEqual(await watched(), [['main', 60_000]]);
    });

    it('counts every session once while others save and roll up at the same time', async () => {
      const saves = Array.from({ length: 20 }, () => sessions.save([aViewer(HOUR)]));
      await Promise.all([...saves, rollUp(), rollUp(false), rollUp()]);
      await rollUp();
      assert.deepEqual(await watched(), [['main', 20 * 60_000]]);
    });
  });
}

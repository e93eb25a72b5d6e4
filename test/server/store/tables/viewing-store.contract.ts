import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { StatisticsStore } from '../../../../server/statistics/statistics-store.js';
import { NO_SUMS, SLOTS_PER_HOUR, type StoredViewingSlot } from '../../../../server/statistics/viewing-sums.js';
import type { ViewingStore } from '../../../../server/statistics/viewing-store.js';
import { Cleanup } from '../../../support/cleanup.js';

export interface ViewingStores {
  readonly viewing: ViewingStore;
  readonly statistics: StatisticsStore;
}

/** A day of UTC begins. */
const HOUR = 24 * 1_000;
const SLOT = HOUR * SLOTS_PER_HOUR;
const ALL = { from: 0, to: HOUR * 2 };

const aSlot = (overrides: Partial<StoredViewingSlot> = {}): StoredViewingSlot => ({
  accountId: 'acme',
  streamName: 'main',
  slot: SLOT,
  ...NO_SUMS,
  playedMs: 100_000,
  frozenMs: 1_000,
  freezes: 2,
  packets: 5_000_000_000,
  firstPictures: NO_SUMS.firstPictures.with(0, 3),
  viewers: 10,
  frozenViewers: 1,
  isOverloaded: false,
  ...overrides,
});

/** The contract of ViewingStore. `open` returns empty stores with the accounts acme and other. */
export function viewingStoreContract(name: string, open: (cleanup: Cleanup) => Promise<ViewingStores>): void {
  describe(`${name} as a ViewingStore`, () => {
    const cleanup = new Cleanup();
    let viewing: ViewingStore;
    let statistics: StatisticsStore;

    beforeEach(async () => {
      ({ viewing, statistics } = await open(cleanup));
    });
    afterEach(() => cleanup.run());

    const rollUp = async () => {
      for (const hour of await statistics.hoursToRollUp()) await statistics.rollUp(hour, true);
    };
    const hours = async (by: 1 | 24 = 1, accountId = 'acme') =>
      (await viewing.stream(accountId, 'main', ALL, by)).map(({ hour, freezes }) => [hour, freezes]);

    it('keeps every sum', async () => {
      const { accountId, streamName, slot: _slot, viewers: _viewers, frozenViewers: _frozen, ...more } = aSlot();
      const { isOverloaded: _load, ...sums } = more;
      await viewing.save('a', [aSlot()]);
      await rollUp();
      assert.deepEqual(await viewing.streams(accountId, ALL, [streamName, 'none']), new Map([[streamName, sums]]));
      assert.deepEqual(await viewing.stream(accountId, streamName, ALL, 1), [{ hour: HOUR, ...sums }]);
    });

    it('replaces what the same run of a server saved, and adds the runs', async () => {
      await viewing.save('a', [aSlot({ freezes: 1 })]);
      await viewing.save('a', [aSlot({ freezes: 3 })]);
      await viewing.save('b', [aSlot({ freezes: 4 })]);
      await rollUp();
      assert.deepEqual(await hours(), [[HOUR, 7]]);
    });

    it('makes the sums of an hour again when one of its five minutes is saved', async () => {
      await viewing.save('a', [aSlot()]);
      await rollUp();
      await viewing.save('a', [aSlot({ slot: SLOT + 11, freezes: 5 }), aSlot({ slot: SLOT + 12, freezes: 9 })]);
      await rollUp();
      await rollUp();
      assert.deepEqual(await hours(), [
        [HOUR, 7],
        [HOUR + 1, 9],
      ]);
      assert.deepEqual(await hours(24), [[HOUR, 16]]);
    });

    it('finds the five minutes with the largest frozen part, on all servers together', async () => {
      const [early, late] = [SLOT, SLOT + 3];
      await viewing.save('a', [aSlot({ frozenMs: 3_000 }), aSlot({ slot: late, frozenMs: 2_000 })]);
      await viewing.save('b', [
        aSlot({ slot: late, frozenMs: 9_000, viewers: 5, frozenViewers: 4, isOverloaded: true }),
      ]);
      const worst = await viewing.worst('acme', 'main', ALL, 60_000);
      assert.deepEqual(
        [worst?.slot, worst?.frozenMs, worst?.viewers, worst?.frozenViewers, worst?.isOverloaded],
        [late, 11_000, 15, 5, true],
        `not ${early}`,
      );
    });

    it('finds no worst five minutes where nothing froze or too little was played', async () => {
      await viewing.save('a', [aSlot({ frozenMs: 0 }), aSlot({ slot: SLOT + 1, playedMs: 59_999 })]);
      assert.equal(await viewing.worst('acme', 'main', ALL, 60_000), undefined);
    });

    it('keeps accounts and streams apart, and takes nothing for an account that is gone', async () => {
      const theirs = aSlot({ accountId: 'other', freezes: 50 });
      await viewing.save('a', [aSlot(), theirs, aSlot({ accountId: 'gone' }), aSlot({ streamName: 'second' })]);
      await rollUp();
      assert.deepEqual([await hours(), await hours(1, 'other')], [[[HOUR, 2]], [[HOUR, 50]]]);
      assert.equal((await viewing.worst('acme', 'main', ALL, 1))?.frozenMs, 1_000);
    });

    it('keeps the hours when their five minutes are deleted', async () => {
      await viewing.save('a', [aSlot()]);
      await rollUp();
      await viewing.pruneSlots(SLOT + 1);
      await statistics.rollUp(HOUR, true);
      assert.equal(await viewing.worst('acme', 'main', ALL, 1), undefined);
      assert.deepEqual(await hours(), [[HOUR, 2]]);
      await statistics.prune(HOUR + 1);
      assert.deepEqual(await hours(), []);
    });
  });
}

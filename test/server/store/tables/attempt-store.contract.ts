import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FAILURES_KEPT_MS } from '../../../../server/accounts/passwords/attempt-delay.js';
import type { AttemptStore } from '../../../../server/accounts/passwords/attempt-store.js';
import { Cleanup } from '../../../support/cleanup.js';

const NAME = { key: 'name a', rule: { free: 2, mostMs: 4_000 } };
const ADDRESS = { key: 'address a', rule: { free: 4, mostMs: 1_000 } };
const BOTH = [NAME, ADDRESS];

/** The contract of AttemptStore. `open` returns an empty store. */
export function attemptStoreContract(name: string, open: (cleanup: Cleanup) => Promise<AttemptStore>): void {
  describe(`${name} as an AttemptStore`, () => {
    const cleanup = new Cleanup();
    let store: AttemptStore;

    beforeEach(async () => (store = await open(cleanup)));
    afterEach(() => cleanup.run());

    it('makes the next attempt wait, and counts none that waits', async () => {
      assert.equal(await store.begin([NAME], 0), undefined);
      assert.equal(await store.begin([NAME], 0), undefined);
      for (const now of [0, 999]) assert.equal(await store.begin([NAME], now), 1_000);
      assert.equal(await store.begin([NAME], 1_000), undefined);
      assert.equal(await store.begin([NAME], 1_001), 3_000);
    });

    it('waits for the longest, and counts for nobody meanwhile', async () => {
      for (const now of [0, 0, 1_000]) await store.begin(BOTH, now);
      assert.equal(await store.begin(BOTH, 1_000), 3_000);
      assert.equal(await store.begin([ADDRESS], 1_000), undefined);
      assert.equal(await store.begin([ADDRESS], 1_001), 2_000);
    });

    it('counts attempts that arrive together', async () => {
      const waits = await Promise.all(Array.from({ length: 8 }, () => store.begin(BOTH, 0)));
      assert.equal(waits.filter((until) => until === undefined).length, 2);
    });

    it('forgets the failures of the name after a success, and takes one back of the address', async () => {
      for (let count = 0; count < 3; count += 1) {
        assert.equal(await store.begin(BOTH, count), undefined);
        await store.succeed(BOTH, NAME);
      }
      await store.begin([ADDRESS], 5);
      for (const now of [6, 7]) assert.equal(await store.begin([ADDRESS], now), undefined);
      await store.begin(BOTH, 8);
      assert.equal(await store.begin(BOTH, 9), 1_008);
      await store.succeed(BOTH, NAME);
      assert.equal(await store.begin(BOTH, 9), undefined);
    });

    it('forgets failures after a day', async () => {
      await store.begin([NAME], 0);
      await store.begin([NAME], 0);
      assert.equal(await store.begin([NAME], FAILURES_KEPT_MS), undefined);
      assert.equal(await store.begin([NAME], FAILURES_KEPT_MS), undefined);
    });
  });
}

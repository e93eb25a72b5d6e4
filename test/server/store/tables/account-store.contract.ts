import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AccountStore } from '../../../../server/accounts/account-store.js';
import { Cleanup } from '../../../support/cleanup.js';

/** The contract of AccountStore. `open` returns an empty store. */
export function accountStoreContract(
  name: string,
  open: (cleanup: Cleanup, now: () => number) => Promise<AccountStore>,
): void {
  describe(`${name} as an AccountStore`, () => {
    const cleanup = new Cleanup();
    let store: AccountStore;
    let now: number;

    beforeEach(async () => {
      now = 1_000;
      store = await open(cleanup, () => (now += 1));
    });
    afterEach(() => cleanup.run());

    it('lists accounts in order of creation', async () => {
      for (const id of ['b', 'a', 'B']) await store.create(id);
      assert.deepEqual(
        (await store.list()).map(({ id }) => id),
        ['b', 'a', 'B'],
      );
    });

    it('gives an id to one of several concurrent creates', async () => {
      const made = await Promise.all([store.create('acme'), store.create('acme'), store.create('acme')]);
      assert.equal(made.filter(Boolean).length, 1);
      assert.equal((await store.get('acme'))?.id, 'acme');
      assert.equal(await store.get('Acme'), undefined);
    });

    it('refuses an id that a stream id could not be split at', async () => {
      for (const id of ['main/room', '', 'mäin', 'a b', 'a\0b', 'x'.repeat(65)]) {
        await assert.rejects(store.create(id), TypeError);
      }
      assert.deepEqual(await store.list(), []);
    });

    it('creates the first account once, and only without other accounts', async () => {
      assert.deepEqual([await store.ensureFirstAccount(), await store.ensureFirstAccount()], [true, false]);
      assert.deepEqual(
        (await store.list()).map(({ id }) => id),
        ['main'],
      );
    });

    it('creates no first account beside one with another name', async () => {
      await store.create('acme');
      assert.equal(await store.ensureFirstAccount(), false);
    });
  });
}

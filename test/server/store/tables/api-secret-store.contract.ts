import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ApiSecretStore } from '../../../../server/accounts/api-secret-service.js';
import { Cleanup } from '../../../support/cleanup.js';

/** The contract of ApiSecretStore. `open` returns an empty store with the accounts `acme` and `other`. */
export function apiSecretStoreContract(name: string, open: (cleanup: Cleanup) => Promise<ApiSecretStore>): void {
  describe(`${name} as an ApiSecretStore`, () => {
    const cleanup = new Cleanup();
    let store: ApiSecretStore;

    beforeEach(async () => {
      store = await open(cleanup);
    });
    afterEach(() => cleanup.run());

    it('finds the account of a hash, and none for an unknown hash', async () => {
      await store.add('acme', 'h1', 1);
      await store.add('other', 'h2', 1);
      assert.deepEqual(
        [await store.findAccount('h1'), await store.findAccount('h2'), await store.findAccount('h3')],
        ['acme', 'other', undefined],
      );
    });

    it('adds one of two concurrent secrets', async () => {
      const added = await Promise.all([store.add('acme', 'h1', 1), store.add('acme', 'h2', 1)]);
      assert.deepEqual(added.toSorted(), [false, true]);
      const kept = added[0] ? 'h1' : 'h2';
      assert.equal(await store.findAccount(kept), 'acme');
    });

    it('forgets the old hash when it is replaced', async () => {
      await store.add('acme', 'h1', 1);
      assert.equal(await store.replace('acme', 'h2', 2), true);
      assert.deepEqual([await store.findAccount('h1'), await store.findAccount('h2')], [undefined, 'acme']);
    });

    it('replaces and removes nothing without a secret', async () => {
      assert.deepEqual([await store.replace('acme', 'h1', 1), await store.remove('acme', 2)], [false, false]);
      assert.equal(await store.findAccount('h1'), undefined);
    });

    it('records the last use of a secret at most once a minute, and none of the next secret', async () => {
      await store.add('acme', 'h1', 1);
      const states = [await store.find('acme')];
      for (const time of [1_000, 60_999, 61_000]) {
        await store.recordUse('h1', time, `192.0.2.${time % 7}`);
        states.push(await store.find('acme'));
      }
      await store.replace('acme', 'h2', 2);
      await store.recordUse('h1', 200_000, '192.0.2.9');
      states.push(await store.find('acme'), await store.find('other'));
      const state = { hash: 'h1', createdOn: 1 };
      const first = { ...state, lastUse: { time: 1_000, from: `192.0.2.${1_000 % 7}` } };
      assert.deepEqual(states, [
        { ...state, lastUse: null },
        first,
        first,
        { ...state, lastUse: { time: 61_000, from: `192.0.2.${61_000 % 7}` } },
        { hash: 'h2', createdOn: 2, lastUse: null },
        undefined,
      ]);
    });

    it('removes a hash, after which another can be added', async () => {
      await store.add('acme', 'h1', 1);
      assert.equal(await store.remove('acme', 2), true);
      assert.equal(await store.findAccount('h1'), undefined);
      assert.equal(await store.add('acme', 'h2', 1), true);
    });
  });
}

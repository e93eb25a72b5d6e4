import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { TimedRefusal } from '../../../../server/oversight/refusal.js';
import type { RefusalStore } from '../../../../server/oversight/refusal-store.js';
import { Cleanup } from '../../../support/cleanup.js';

export function aRefusal(overrides: Partial<TimedRefusal> = {}): TimedRefusal {
  return {
    time: 1_000,
    kind: 'subscribe',
    accountId: 'acme',
    tokenId: 7,
    streamName: 'main',
    origin: 'https://a.example',
    address: '192.0.2.1',
    reason: 'token_expired',
    ...overrides,
  };
}

const ALL = { page: 1, itemsOnPage: 100 };

/** The contract of RefusalStore. `open` returns an empty store with the named accounts. */
export function refusalStoreContract(
  name: string,
  open: (cleanup: Cleanup, ...accounts: string[]) => Promise<RefusalStore>,
): void {
  describe(`${name} as a RefusalStore`, () => {
    const cleanup = new Cleanup();
    let store: RefusalStore;

    beforeEach(async () => {
      store = await open(cleanup, 'acme', 'other');
    });
    afterEach(() => cleanup.run());

    const names = async (query: object = {}, accountId = 'acme') =>
      (await store.list(accountId, { ...ALL, ...query })).refusals.map(({ streamName }) => streamName);

    it('lists the stored refusals, the newest first', async () => {
      const whole = aRefusal();
      const bare = aRefusal({ tokenId: null, origin: undefined, address: '', kind: 'publish', time: 2_000 });
      await store.add([whole, bare]);
      const { refusals, total } = await store.list('acme', ALL);
      assert.deepEqual(
        refusals.map(({ id: _id, ...refusal }) => refusal),
        [bare, whole].map((refusal) => Object.assign(refusal, { namedAccount: undefined })),
      );
      assert.equal(total, 2);
    });

    it('separates accounts', async () => {
      await store.add([aRefusal({ streamName: 'a' }), aRefusal({ accountId: 'other', streamName: 'b' })]);
      assert.deepEqual([await names(), await names({}, 'other')], [['a'], ['b']]);
    });

    it('filters by stream, token and reason, and by all of them together', async () => {
      await store.add([
        aRefusal({ streamName: 'a', tokenId: 1 }),
        aRefusal({ streamName: 'b', tokenId: 1, reason: 'token_disabled' }),
        aRefusal({ streamName: 'b', tokenId: 2 }),
      ]);
      assert.deepEqual(await names({ streamName: 'b' }), ['b', 'b']);
      assert.deepEqual(await names({ tokenId: 1 }), ['b', 'a']);
      assert.deepEqual(await names({ reason: 'token_expired' }), ['b', 'a']);
      assert.deepEqual(await names({ streamName: 'b', tokenId: 1, reason: 'token_expired' }), []);
    });

    it('groups refusals by kind, reason, token and origin, the largest group first, in pages', async () => {
      const origin = 'https://b.example';
      await store.add([
        aRefusal({ time: 1, streamName: 'a' }),
        aRefusal({ time: 2, origin }),
        aRefusal({ time: 3, streamName: 'b', address: '192.0.2.9' }),
        aRefusal({ time: 4, tokenId: null, origin: undefined, kind: 'publish' }),
        aRefusal({ time: 5, accountId: 'other' }),
      ]);
      const same = { kind: 'subscribe', reason: 'token_expired', tokenId: 7, origin: 'https://a.example' } as const;
      const expected = [
        { ...same, refusals: 2, firstOn: 1, lastOn: 3 },
        { ...same, tokenId: null, origin: undefined, kind: 'publish', refusals: 1, firstOn: 4, lastOn: 4 },
        { ...same, origin, refusals: 1, firstOn: 2, lastOn: 2 },
      ];
      assert.deepEqual(await store.groups('acme', ALL), { groups: expected, total: 3 });
      const second = await store.groups('acme', { page: 2, itemsOnPage: 2 });
      assert.deepEqual(second, { groups: expected.slice(2), total: 3 });
      assert.equal((await store.groups('acme', { ...ALL, streamName: 'b' })).total, 1);
      assert.deepEqual(await store.groups('acme', { ...ALL, reason: 'token_full' }), { groups: [], total: 0 });
    });

    it('returns one page and the total', async () => {
      await store.add(['a', 'b', 'c'].map((streamName) => aRefusal({ streamName })));
      const { refusals, total } = await store.list('acme', { page: 2, itemsOnPage: 2 });
      assert.deepEqual([refusals.map(({ streamName }) => streamName), total], [['a'], 3]);
    });

    it('stores a batch of hundreds, with any text of clients', async () => {
      const batch = Array.from({ length: 450 }, (_, turn) =>
        aRefusal({ streamName: `'); drop table refusal; -- ${turn}` }),
      );
      await store.add(batch);
      assert.equal((await store.list('acme', ALL)).total, 450);
    });

    it('shows refusals without a known account to the operator only', async () => {
      await store.add([
        aRefusal({ accountId: 'nobody', tokenId: null, streamName: 'a' }),
        aRefusal({ accountId: '', tokenId: null, streamName: 'b' }),
        aRefusal({ streamName: 'kept' }),
      ]);
      assert.deepEqual([await names(), await names({}, 'nobody'), await names({}, 'other')], [['kept'], [], []]);
      const { refusals, total } = await store.listUnknown({ ...ALL, itemsOnPage: 1 });
      assert.deepEqual([refusals.map(({ namedAccount }) => namedAccount), total], [[''], 2]);
      const [found] = (await store.listUnknown({ ...ALL, streamName: 'a' })).refusals;
      const { id: _id, ...rest } = found!;
      assert.deepEqual(rest, {
        ...aRefusal({ accountId: '', tokenId: null, streamName: 'a' }),
        namedAccount: 'nobody',
      });
    });

    it('assigns them to the only account', async () => {
      store = await open(cleanup, 'acme');
      await store.add([aRefusal({ accountId: '' }), aRefusal({ accountId: 'nobody', streamName: 'x' })]);
      const { refusals } = await store.list('acme', ALL);
      assert.deepEqual(
        refusals.map(({ streamName, namedAccount }) => [streamName, namedAccount]),
        [
          ['x', 'nobody'],
          ['main', undefined],
        ],
      );
      assert.equal((await store.listUnknown(ALL)).total, 0);
    });

    it('deletes old refusals without an account', async () => {
      const unknown = (fields: object) => aRefusal({ accountId: 'nobody', ...fields });
      await store.add([unknown({ time: 1 }), ...['a', 'b', 'c'].map((streamName) => unknown({ streamName }))]);
      await store.prune(1_000, 2);
      const { refusals } = await store.listUnknown(ALL);
      assert.deepEqual(
        refusals.map(({ streamName }) => streamName),
        ['c', 'b'],
      );
    });

    it('deletes old refusals, and all but the newest of each account', async () => {
      await store.add([
        aRefusal({ time: 1, streamName: 'old' }),
        aRefusal({ accountId: 'other', streamName: 'theirs' }),
      ]);
      await store.add(['a', 'b', 'c'].map((streamName) => aRefusal({ streamName })));
      await store.prune(1_000, 2);
      assert.deepEqual([await names(), await names({}, 'other')], [['c', 'b'], ['theirs']]);
    });
  });
}

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { TokenListQuery, TokenNameQuery } from '../../../../src/wire/management/token.js';
import type { TokenRecord } from '../../../../server/tokens/token-record.js';
import type { NewToken, TokenStore } from '../../../../server/tokens/token-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { aTokenRecord } from '../../../support/token.js';

const scope = { accountId: 'acme', kind: 'subscribe' } as const;
const everything: TokenListQuery = { page: 1, itemsOnPage: 100, sortBy: 'Name', isDescending: false };

/** The time of the store, in milliseconds since 1970. */
const NOW = Date.parse('2030-01-01T00:00:00Z');

/** The contract of TokenStore. `open` returns an empty store with two accounts. */
export function tokenStoreContract(
  name: string,
  open: (cleanup: Cleanup, now: () => number) => Promise<TokenStore>,
): void {
  describe(`${name} as a TokenStore`, () => {
    const cleanup = new Cleanup();
    let store: TokenStore;
    let made = 0;

    beforeEach(async () => {
      store = await open(cleanup, () => NOW);
    });
    afterEach(() => cleanup.run());

    const newToken = (overrides: Partial<NewToken> = {}): NewToken => {
      const { id: _id, revision: _revision, ...token } = aTokenRecord({ token: `value-${(made += 1)}`, ...overrides });
      return token;
    };
    const listed = async (query: Partial<TokenListQuery> = {}) =>
      (await store.list(scope, { ...everything, ...query })).tokens.map(({ label }) => label);

    it('returns the stored token', async () => {
      const token = newToken({
        kind: 'publish',
        label: 'Bühne "1"; --',
        streams: [
          { streamName: 'z', isRegex: false },
          { streamName: 'a.*', isRegex: true },
        ],
        subscribeRequiresAuth: true,
        record: true,
        recordingRetentionDays: 30,
        allowedOrigins: ['*.example.com', 'https://b.test:8443'],
        allowedIpAddresses: ['192.0.2.0/24', '2001:db8::1'],
        deniedIpAddresses: ['192.0.2.66', '2001:db8:1:2::/64'],
        allowedCountries: ['CH', 'DE'],
        deniedCountries: ['AT'],
        maxSessions: 3,
        whenFull: 'displace',
        isActive: false,
        expiresOn: Date.parse('2100-01-01T00:00:00Z'),
      });
      const created = await store.create(token);
      assert.deepEqual(created, { ...token, id: created.id, revision: 1 });
      assert.deepEqual(await store.get({ accountId: 'acme', kind: 'publish' }, created.id), created);
    });

    it('creates several tokens in their order, or none of them', async () => {
      const scope = { accountId: 'acme', kind: 'subscribe' } as const;
      const made = [1, 2, 3].map((number) => newToken({ ...scope, label: `ticket ${number}`, token: `${number}` }));
      const created = await store.createSeveral(made);
      assert.deepEqual(
        created.map(({ label }) => label),
        ['ticket 1', 'ticket 2', 'ticket 3'],
      );
      for (const token of created) assert.deepEqual(await store.find(token.id), token);
      const twice = newToken({ ...scope, label: 'again', token: '4' });
      await assert.rejects(store.createSeveral([twice, twice]));
      assert.equal(await store.findByValue('4'), undefined);
    });

    it('keeps the order of a thousand streams', async () => {
      const streams = Array.from({ length: 1_000 }, (_, index) => ({ streamName: `s${999 - index}`, isRegex: false }));
      const { id } = await store.create(newToken({ streams }));
      assert.deepEqual((await store.get(scope, id))?.streams, streams);
    });

    it('never reuses an id', async () => {
      const first = await store.create(newToken());
      await store.delete(scope, first.id);
      const second = await store.create(newToken());
      assert.ok(second.id > first.id);
    });

    it('reads, changes and deletes nothing outside the scope', async () => {
      const created = await store.create(newToken());
      for (const stranger of [
        { accountId: 'other', kind: 'subscribe' },
        { accountId: 'acme', kind: 'publish' },
      ] as const) {
        assert.equal(await store.get(stranger, created.id), undefined);
        assert.equal(await store.update(stranger, created.id, (token) => ({ ...token, label: 'x' })), undefined);
        assert.equal(await store.delete(stranger, created.id), false);
        assert.deepEqual(await store.list(stranger, everything), { tokens: [], total: 0 });
      }
      assert.deepEqual(await store.get(scope, created.id), created);
    });

    it('changes a token and increments its revision', async () => {
      const created = await store.create(newToken());
      const change = { label: 'new', token: 'another', streams: [], isActive: false, expiresOn: 5 };
      const changed = await store.update(scope, created.id, (token) => ({ ...token, ...change }));
      assert.deepEqual(changed, { ...created, ...change, revision: 2 });
      assert.deepEqual(await store.get(scope, created.id), changed);
    });

    it('changes nothing if the change throws', async () => {
      const created = await store.create(newToken());
      const refuse = () => {
        throw new Error('refused');
      };
      await assert.rejects(store.update(scope, created.id, refuse), /refused/);
      assert.deepEqual(await store.get(scope, created.id), created);
    });

    it('serializes concurrent changes of a token', async () => {
      const { id } = await store.create(newToken({ label: '' }));
      await Promise.all(
        Array.from({ length: 10 }, () => store.update(scope, id, (token) => ({ ...token, label: `${token.label}x` }))),
      );
      assert.equal((await store.get(scope, id))?.label, 'x'.repeat(10));
    });

    it('deletes a token once', async () => {
      const { id } = await store.create(newToken());
      assert.deepEqual([await store.delete(scope, id), await store.delete(scope, id)], [true, false]);
      assert.equal(await store.get(scope, id), undefined);
    });

    describe('deleteExpired', () => {
      const expired = (expiresOn: number | null, overrides: Partial<NewToken> = {}) =>
        store.create(newToken({ expiresOn, ...overrides }));
      const left = async () => {
        const ids: number[] = [];
        for await (const { id } of store.all()) ids.push(id);
        return ids;
      };

      it('deletes the tokens of every account and kind that had expired, and no others', async () => {
        await expired(1_000);
        await expired(999, { accountId: 'other', kind: 'publish', isActive: false });
        const kept = [await expired(1_001), await expired(null)].map(({ id }) => id);
        assert.equal((await store.deleteExpired(1_000, 10)).length, 2);
        assert.deepEqual(await left(), kept);
        assert.deepEqual(await store.deleteExpired(1_000, 10), []);
      });

      it('deletes at most the given number, the earliest expiry first', async () => {
        const [late, early, never] = [await expired(300), await expired(100), await expired(null)];
        assert.deepEqual(await store.deleteExpired(1_000, 1), [early.id]);
        assert.deepEqual(await store.deleteExpired(1_000, 1), [late.id]);
        assert.deepEqual(await left(), [never.id]);
      });

      it('deletes each token once in concurrent calls, and keeps those that are extended meanwhile', async () => {
        const made = await Promise.all(Array.from({ length: 30 }, (_, index) => expired(index)));
        const extended = made[0]!;
        await store.update(scope, extended.id, (present) => ({ ...present, expiresOn: null }));
        const deleted: number[] = [];
        while ((await left()).length > 1) {
          deleted.push(...(await Promise.all([1, 2, 3].map(() => store.deleteExpired(1_000, 7)))).flat());
        }
        assert.deepEqual(
          deleted.toSorted((a, b) => a - b),
          made
            .map(({ id }) => id)
            .filter((id) => id !== extended.id)
            .toSorted((a, b) => a - b),
        );
        assert.deepEqual(await left(), [extended.id]);
      });
    });

    it('lists by name or by age, in both directions', async () => {
      await store.create(newToken({ label: 'b', addedOn: 1 }));
      await store.create(newToken({ label: 'a', addedOn: 3 }));
      await store.create(newToken({ label: 'c', addedOn: 2 }));
      assert.deepEqual(await listed(), ['a', 'b', 'c']);
      assert.deepEqual(await listed({ isDescending: true }), ['c', 'b', 'a']);
      assert.deepEqual(await listed({ sortBy: 'AddedOn' }), ['b', 'c', 'a']);
      assert.deepEqual(await listed({ sortBy: 'AddedOn', isDescending: true }), ['a', 'c', 'b']);
    });

    it('lists pages, with the total', async () => {
      for (const label of ['1', '2', '3']) await store.create(newToken({ label }));
      assert.deepEqual(await listed({ itemsOnPage: 2 }), ['1', '2']);
      assert.deepEqual(await listed({ itemsOnPage: 2, page: 2 }), ['3']);
      assert.deepEqual(await listed({ itemsOnPage: 2, page: 3 }), []);
      assert.equal((await store.list(scope, { ...everything, page: 9 })).total, 3);
    });

    it('filters by the exact name of a token or a stream, in pages', async () => {
      const rules = (streamName: string, isRegex = false) => ({ streams: [{ streamName, isRegex }] });
      await store.create(newToken({ label: 'a' }));
      await store.create(newToken({ label: 'b', ...rules('a') }));
      await store.create(newToken({ label: 'c', ...rules('a', true) }));
      await store.create(newToken({ label: 'A', ...rules('aa') }));
      await store.create(newToken({ label: 'a', accountId: 'other' }));
      const byName = async (filterBy: TokenNameQuery['filterBy']) => {
        const query = { ...everything, name: 'a', filterBy, itemsOnPage: 1 };
        const { tokens, total } = await store.list(scope, query);
        return [tokens.map(({ label }) => label).join(), total];
      };
      assert.deepEqual(await byName('TokenName'), ['a', 1]);
      assert.deepEqual(await byName('StreamName'), ['b', 1]);
      assert.deepEqual(await byName('TokenOrStreamName'), ['a', 2]);
      assert.deepEqual(await byName('None'), ['A', 4]);
    });

    it('lists by expiry, with those that never expire last', async () => {
      await store.create(newToken({ label: 'never', expiresOn: null }));
      await store.create(newToken({ label: 'late', expiresOn: 2 }));
      await store.create(newToken({ label: 'early', expiresOn: 1 }));
      for (const query of [{}, { search: 'e' }]) {
        assert.deepEqual(await listed({ ...query, sortBy: 'ExpiresOn' }), ['early', 'late', 'never']);
        assert.deepEqual(await listed({ ...query, sortBy: 'ExpiresOn', isDescending: true }), [
          'never',
          'late',
          'early',
        ]);
      }
    });

    it('finds any part of a label or a stream name, in any letter case', async () => {
      const streams = [
        { streamName: 'Hall 2', isRegex: false },
        { streamName: 'room-.*', isRegex: true },
      ];
      const { id } = await store.create(newToken({ label: 'ÉCOLE 100%_\\ ΟΔΟΣ', streams }));
      for (const search of ['école', 'ÉCOLE', 'e\u0301cole', '100%_\\', 'οδος', 'οδοσ', 'hall', 'OM-.']) {
        assert.deepEqual(await listed({ search }), ['ÉCOLE 100%_\\ ΟΔΟΣ'], search);
      }
      for (const search of ['100_', '%cole', 'ΟΔΟΣHall', 'room-x', `9${id}`]) {
        assert.deepEqual(await listed({ search }), [], search);
      }
      assert.deepEqual(await store.list({ accountId: 'other', kind: 'subscribe' }, { ...everything, search: 'hall' }), {
        tokens: [],
        total: 0,
      });
      assert.deepEqual((await store.list({ ...scope, kind: 'publish' }, { ...everything, search: 'hall' })).total, 0);
    });

    it('finds ids by their first digits', async () => {
      const ids = [];
      for (let made = 0; made < 12; made += 1) ids.push((await store.create(newToken({ label: '' }))).id);
      const { tokens } = await store.list(scope, { ...everything, sortBy: 'AddedOn', search: '1' });
      assert.deepEqual(
        tokens.map(({ id }) => id),
        ids.filter((id) => String(id).startsWith('1')),
      );
    });

    it('finds a token by what it is after a change, and not after it is deleted', async () => {
      const { id } = await store.create(newToken({ label: 'before' }));
      const change = { label: 'after', isActive: false, streams: [{ streamName: 'new', isRegex: false }] };
      await store.update(scope, id, (present) => ({ ...present, ...change }));
      assert.deepEqual(await listed({ search: 'before' }), []);
      assert.deepEqual(await listed({ search: 'new', state: 'disabled' }), ['after']);
      await store.delete(scope, id);
      assert.deepEqual(await store.list(scope, { ...everything, search: 'new' }), { tokens: [], total: 0 });
    });

    it('searches as a filter of all tokens would', async () => {
      const word = fc.constantFrom('a', 'A', 'b', 'ä', '%', '_', '\\', '1');
      const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(''));
      const expiry = fc.constantFrom(null, NOW - 1, NOW, NOW + 1);
      const tokens = fc.array(
        fc.record({ label: text, stream: text, isActive: fc.boolean(), expiresOn: expiry, addedOn: fc.nat(3) }),
        { minLength: 30, maxLength: 30 },
      );
      const made: TokenRecord[] = [];
      for (const { stream, ...fields } of fc.sample(tokens, { numRuns: 1, seed: 14 })[0]!) {
        const streams = stream ? [{ streamName: stream, isRegex: false }] : [];
        made.push(await store.create(newToken({ ...fields, streams })));
      }
      const query = fc.record({
        search: text,
        state: fc.option(fc.constantFrom('active', 'disabled', 'expired'), { nil: undefined }),
        sortBy: fc.constantFrom('AddedOn', 'ExpiresOn'),
        isDescending: fc.boolean(),
        page: fc.integer({ min: 1, max: 4 }),
        itemsOnPage: fc.integer({ min: 1, max: 12 }),
      });
      await fc.assert(
        fc.asyncProperty(query, async (wanted) => {
          const found = made.filter((token) => isWanted(token, wanted)).toSorted(inOrder(wanted));
          const start = (wanted.page - 1) * wanted.itemsOnPage;
          const page = await store.list(scope, wanted);
          assert.equal(page.total, found.length);
          assert.deepEqual(page.tokens, found.slice(start, start + wanted.itemsOnPage));
        }),
        { numRuns: 60 },
      );
    });

    it('iterates over all tokens of all accounts', async () => {
      await store.create(newToken());
      await store.create(newToken({ accountId: 'other', kind: 'publish' }));
      const found = [];
      for await (const { accountId, kind } of store.all()) found.push(`${accountId} ${kind}`);
      assert.deepEqual(found, ['acme subscribe', 'other publish']);
    });

    it('iterates over the publish tokens of all accounts, also of one moment', async () => {
      const made = await store.createSeveral(
        Array.from({ length: 2_005 }, (_, index) =>
          newToken({ accountId: index % 2 ? 'other' : 'acme', kind: index % 5 ? 'publish' : 'subscribe', addedOn: 7 }),
        ),
      );
      const found: number[] = [];
      for await (const { id } of store.publishTokens()) found.push(id);
      const publishing = made.filter(({ kind }) => kind === 'publish').map(({ id }) => id);
      const ascending = (a: number, b: number) => a - b;
      assert.deepEqual(found.toSorted(ascending), publishing.toSorted(ascending));
    });

    describe('binding addresses', () => {
      const bind = async (id: number, address: string, now = 0) => (await store.bindAddress(id, address, now)).binding;

      it('binds addresses up to the maximum, and knows the bound ones', async () => {
        const { id } = await store.create(newToken({ bindIpsOnUsage: 2 }));
        assert.deepEqual(
          [await bind(id, 'a', 5), await bind(id, 'a', 6), await bind(id, 'b', 7), await bind(id, 'c', 8)],
          ['bound', 'already_bound', 'bound', 'full'],
        );
        assert.deepEqual((await store.get(scope, id))?.boundIps, [
          { address: 'a', boundOn: 5 },
          { address: 'b', boundOn: 7 },
        ]);
      });

      it('returns the token with its new binding', async () => {
        const created = await store.create(newToken({ bindIpsOnUsage: 1 }));
        const { token } = await store.bindAddress(created.id, 'a', 5);
        assert.deepEqual(token, { ...created, revision: 2, boundIps: [{ address: 'a', boundOn: 5 }] });
        assert.deepEqual((await store.bindAddress(created.id, 'b', 6)).token, token);
      });

      it('binds nothing if binding is disabled, and is full for a deleted token', async () => {
        const { id } = await store.create(newToken());
        assert.equal(await bind(id, 'a'), 'already_bound');
        assert.deepEqual((await store.get(scope, id))?.boundIps, []);
        assert.deepEqual(await store.bindAddress(id + 1, 'a', 0), { binding: 'full', token: undefined });
      });

      it('never exceeds the maximum in concurrent calls', async () => {
        const { id } = await store.create(newToken({ bindIpsOnUsage: 10 }));
        const asked = Array.from({ length: 100 }, (_, index) => bind(id, `address ${index % 50}`));
        const answers = await Promise.all(asked);
        assert.equal(answers.filter((binding) => binding === 'bound').length, 10);
        assert.equal((await store.get(scope, id))?.boundIps.length, 10);
      });

      it('keeps the bindings that a change keeps, and deletes the others', async () => {
        const { id } = await store.create(newToken({ bindIpsOnUsage: 3 }));
        for (const address of ['a', 'b', 'c']) await bind(id, address);
        await store.update(scope, id, (token) => ({ ...token, label: 'x' }));
        assert.equal((await store.get(scope, id))?.boundIps.length, 3);

        await store.update(scope, id, (token) => ({
          ...token,
          bindIpsOnUsage: 2,
          boundIps: token.boundIps.slice(0, 1),
        }));
        assert.deepEqual(await bind(id, 'd'), 'bound');
        assert.deepEqual(
          (await store.get(scope, id))?.boundIps.map(({ address }) => address),
          ['a', 'd'],
        );
        await store.update(scope, id, (token) => ({ ...token, bindIpsOnUsage: 0, boundIps: [] }));
        assert.deepEqual((await store.get(scope, id))?.boundIps, []);
        assert.equal(await store.delete(scope, id), true);
      });
    });

    describe('createOnce', () => {
      const once = { key: 'k', fingerprint: 'f', since: 0 };

      it('creates one token in concurrent calls, and returns it to all', async () => {
        const made = await Promise.all([1, 2, 3, 4].map(() => store.createOnce(newToken(), once)));
        assert.deepEqual(made.map(({ outcome }) => outcome).toSorted(), [
          'created',
          'repeated',
          'repeated',
          'repeated',
        ]);
        assert.equal(new Set(made.map((answer) => JSON.stringify('token' in answer && answer.token))).size, 1);
        assert.equal((await store.list(scope, everything)).total, 1);
      });

      it('returns the token as it was created, even if it has changed', async () => {
        const first = await store.createOnce(newToken({ label: 'first' }), once);
        assert.ok(first.outcome === 'created');
        await store.delete(scope, first.token.id);
        assert.deepEqual(await store.createOnce(newToken(), once), { ...first, outcome: 'repeated' });
      });

      it('refuses other fields with the same key', async () => {
        await store.createOnce(newToken(), once);
        const other = await store.createOnce(newToken(), { ...once, fingerprint: 'g' });
        assert.deepEqual(other, { outcome: 'key_reused' });
        assert.equal((await store.list(scope, everything)).total, 1);
      });

      it('separates the keys of accounts and kinds', async () => {
        for (const token of [newToken(), newToken({ accountId: 'other' }), newToken({ kind: 'publish' })]) {
          assert.equal((await store.createOnce(token, once)).outcome, 'created');
        }
      });

      it('forgets an old key', async () => {
        await store.createOnce(newToken({ addedOn: 10 }), once);
        assert.equal((await store.createOnce(newToken(), { ...once, since: 10 })).outcome, 'repeated');
        assert.equal((await store.createOnce(newToken(), { ...once, since: 11 })).outcome, 'created');
      });

      it('stores no key for a failed create', async () => {
        await store.create(newToken({ token: 'same' }));
        await assert.rejects(store.createOnce(newToken({ token: 'same' }), once));
        assert.equal((await store.createOnce(newToken(), once)).outcome, 'created');
      });
    });

    it('refuses the value of another token', async () => {
      await store.create(newToken({ token: 'same' }));
      await assert.rejects(store.create(newToken({ token: 'same' })));
    });
  });
}

function isWanted(token: TokenRecord, { search = '', state }: TokenListQuery): boolean {
  const texts = [token.label, ...token.streams.map(({ streamName }) => streamName)];
  const isFound =
    texts.some((text) => text.toLowerCase().includes(search.toLowerCase())) ||
    (/^\d+$/.test(search) && String(token.id).startsWith(search));
  const hasExpired = token.expiresOn !== null && token.expiresOn <= NOW;
  const present = !token.isActive ? 'disabled' : hasExpired ? 'expired' : 'active';
  return isFound && (state === undefined || state === present);
}

function inOrder({ sortBy, isDescending }: TokenListQuery) {
  const keyOf = ({ addedOn, expiresOn }: TokenRecord) => (sortBy === 'AddedOn' ? addedOn : (expiresOn ?? Infinity));
  const sign = isDescending ? -1 : 1;
  return (a: TokenRecord, b: TokenRecord) => {
    const [first, second] = [keyOf(a), keyOf(b)];
    return sign * (first === second ? a.id - b.id : first < second ? -1 : 1);
  };
}

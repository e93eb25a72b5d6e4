import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { MAX_UPSTREAMS } from '../../../../src/wire/management/upstream.js';
import type { AuditStore } from '../../../../server/oversight/audit-store.js';
import type { Database } from '../../../../server/store/schema.js';
import type { SessionNotes } from '../../../../server/upstream/session-notes.js';
import type { UpstreamStore } from '../../../../server/upstream/upstream-store.js';
import type { UpstreamFields } from '../../../../server/upstream/upstream.js';
import { Cleanup } from '../../../support/cleanup.js';

export interface UpstreamStores {
  readonly upstreams: UpstreamStore;
  readonly notes: SessionNotes;
  readonly audit: AuditStore;
  readonly db: Database;
}

const FIELDS: UpstreamFields = {
  accountId: 'acme',
  streamName: null,
  software: 'mediamtx',
  urls: {
    publish: 'https://mtx.example/secret-path/{name}/whip',
    view: 'https://mtx.example/{name}/whep',
    status: 'https://api.mtx.example/{name}',
  },
  tokens: { publish: 'publish-token', view: null, status: null },
};
const ALL = { accountId: 'acme', streamName: null };

/** The contract of UpstreamStore and SessionNotes. `open` returns empty stores with the accounts acme and other. */
export function upstreamStoreContract(name: string, open: (cleanup: Cleanup) => Promise<UpstreamStores>): void {
  describe(`${name} as an UpstreamStore`, () => {
    const cleanup = new Cleanup();
    let { upstreams, notes, audit, db }: UpstreamStores = {} as UpstreamStores;

    beforeEach(async () => {
      ({ upstreams, notes, audit, db } = await open(cleanup));
    });
    afterEach(() => cleanup.run());

    const set = (fields: UpstreamFields, now = 1) => upstreams.set(fields, () => fields, now);
    const changes = async () => (await audit.list('acme', { page: 1, itemsOnPage: 2 })).entries;

    it('returns what was set, for that account only', async () => {
      assert.deepEqual(await set(FIELDS), { ...FIELDS, updatedOn: 1 });
      const ofStream = { ...FIELDS, streamName: 'show', tokens: { publish: null, view: 'v', status: 's' } };
      await set(ofStream, 2);
      const both = [
        { ...FIELDS, updatedOn: 1 },
        { ...ofStream, updatedOn: 2 },
      ];
      assert.deepEqual(await upstreams.list('acme'), both);
      assert.deepEqual(await upstreams.list('other'), []);
      await set({ ...FIELDS, accountId: 'other' }, 3);
      assert.equal((await upstreams.all()).length, 3);
    });

    it('returns one that cannot be read as that, beside the others', async () => {
      await set(FIELDS);
      await set({ ...FIELDS, accountId: 'other' }, 2);
      const damage = { settings_sealed: 'damaged' };
      await db.updateTable('account_upstream').set(damage).where('account_id', '=', 'acme').execute();
      const unreadable = { ...ALL, unreadable: true };
      assert.deepEqual(await upstreams.list('acme'), [unreadable]);
      assert.deepEqual(
        (await upstreams.all()).toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1)),
        [unreadable, { ...FIELDS, accountId: 'other', updatedOn: 2 }],
      );
      assert.deepEqual(await set(FIELDS, 3), { ...FIELDS, updatedOn: 3 });
      await db.updateTable('account_upstream').set(damage).where('account_id', '=', 'acme').execute();
      assert.equal(await upstreams.remove(ALL, 4), true);
      assert.deepEqual((await changes())[0]?.before, null);
    });

    it('decides with what was there before', async () => {
      await set(FIELDS);
      const changed = await upstreams.set(ALL, (before) => ({ ...before!, software: 'srs' }), 2);
      assert.deepEqual(changed, { ...FIELDS, software: 'srs', updatedOn: 2 });
      assert.deepEqual(await upstreams.set(ALL, (before) => before!, 3), changed);
    });

    it('has a limit for each account', async () => {
      for (let i = 0; i < MAX_UPSTREAMS; i++) await set({ ...FIELDS, streamName: `stream ${i}` });
      assert.equal(await set(FIELDS), 'full');
      assert.notEqual(await set({ ...FIELDS, streamName: 'stream 1', software: 'srs' }), 'full');
    });

    it('removes one, and says whether it was there', async () => {
      await set(FIELDS);
      await set({ ...FIELDS, streamName: 'show' });
      assert.deepEqual([await upstreams.remove(ALL, 2), await upstreams.remove(ALL, 3)], [true, false]);
      assert.deepEqual(
        (await upstreams.list('acme')).map(({ streamName }) => streamName),
        ['show'],
      );
    });

    it('writes each change to the audit log, without tokens and without the paths of addresses', async () => {
      await set(FIELDS);
      await set(FIELDS, 2);
      await upstreams.remove(ALL, 3);
      const shown = {
        software: 'mediamtx',
        publish: 'https://mtx.example',
        view: 'https://mtx.example',
        status: 'https://api.mtx.example',
        tokens: ['publish'],
      };
      assert.deepEqual(
        (await changes()).map(({ action, before, after }) => ({ action, before, after })),
        [
          { action: 'upstream_removed', before: shown, after: null },
          { action: 'upstream_set', before: null, after: shown },
        ],
      );
    });

    it('keeps notes of sessions, and gives those of servers that are gone to one server', async () => {
      const session = (id: string) => ({ id, session: { url: `https://mtx.example/${id}`, token: `token ${id}` } });
      await notes.add('alive', session('a'), 1);
      await notes.add('gone', session('b'), 1);
      await notes.add('gone too', session('c'), 1);
      await notes.add('me', session('d'), 1);
      await notes.add('has joined since', session('e'), 2);
      const [mine, theirs] = await Promise.all([
        notes.takeOver('me', ['alive'], 1),
        notes.takeOver('alive', ['me'], 1),
      ]);
      const taken = [...mine, ...theirs].sort((one, other) => one.id.localeCompare(other.id));
      assert.deepEqual(taken, [session('b'), session('c')]);
      assert.deepEqual(await notes.takeOver('me', ['alive'], 1), []);
      await notes.remove([]);
      await notes.remove(['a', 'b', 'nothing']);
      const left = await notes.takeOver('next', [], 2);
      assert.deepEqual(left.map(({ id }) => id).sort(), ['c', 'd', 'e']);
    });
  });
}

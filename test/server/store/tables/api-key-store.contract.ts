import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { revokedApiKey, type ApiKey } from '../../../../server/accounts/api-key.js';
import type { ApiKeyStore } from '../../../../server/accounts/api-key-service.js';
import type { AuditStore } from '../../../../server/oversight/audit-store.js';
import { Cleanup } from '../../../support/cleanup.js';

const ALL = { page: 1, itemsOnPage: 100 };

/** A valid key. `fields` replaces some of its fields. */
export function apiKey(fields: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key_000000000001',
    accountId: 'acme',
    name: 'builds',
    valueHash: 'h1',
    oldValue: null,
    scopes: ['read', 'streams'],
    createdOn: 1,
    expiresOn: null,
    lastUse: null,
    revokedOn: null,
    ...fields,
  };
}

interface Stores {
  readonly keys: ApiKeyStore;
  readonly audit: AuditStore;
}

/** The contract of ApiKeyStore. `open` returns empty stores with the accounts `acme` and `other`. */
export function apiKeyStoreContract(name: string, open: (cleanup: Cleanup) => Promise<Stores>): void {
  describe(`${name} as an ApiKeyStore`, () => {
    const cleanup = new Cleanup();
    let keys: ApiKeyStore;
    let audit: AuditStore;

    beforeEach(async () => {
      ({ keys, audit } = await open(cleanup));
    });
    afterEach(() => cleanup.run());

    it('returns a key as it was added, by its value and by its old value', async () => {
      const key = apiKey({
        name: '<b>"مفتاح" 🔑</b>',
        oldValue: { hash: 'h0', expiresOn: 1_800_000_000_000 },
        expiresOn: 1_900_000_000_000,
        lastUse: { time: 5, from: '2001:db8::/64' },
        revokedOn: 7,
      });
      await keys.add(key);
      assert.deepEqual([await keys.findByHash('h1'), await keys.findByHash('h0')], [key, key]);
      assert.equal(await keys.findByHash('h2'), undefined);
    });

    it('lists the keys of one account, the newest first, by page', async () => {
      for (const [index, accountId] of ['acme', 'acme', 'other', 'acme'].entries()) {
        await keys.add(apiKey({ id: `key_${index}`, accountId, valueHash: `h${index}`, createdOn: index }));
      }
      const idsOf = async (page: number) => {
        const { keys: found, total } = await keys.list('acme', { page, itemsOnPage: 2 });
        return [found.map(({ id }) => id), total];
      };
      assert.deepEqual(
        [await idsOf(1), await idsOf(2)],
        [
          [['key_3', 'key_1'], 3],
          [['key_0'], 3],
        ],
      );
    });

    it('changes a key of the account only, and writes both to the audit log', async () => {
      const { id } = apiKey();
      await keys.add(apiKey());
      const audited = { action: 'key_revoked', now: 9 } as const;
      const revoke = (accountId: string) => keys.change({ accountId, id }, (key) => revokedApiKey(key, 9), audited);
      assert.equal(await revoke('other'), undefined);
      assert.deepEqual(await revoke('acme'), apiKey({ revokedOn: 9 }));
      assert.deepEqual(await keys.findByHash('h1'), apiKey({ revokedOn: 9 }));
      const { entries } = await audit.list('acme', ALL);
      assert.deepEqual(
        entries.slice(0, 2).map(({ action, target, time }) => [action, target, time]),
        [
          ['key_revoked', { kind: 'api_key', id }, 9],
          ['key_created', { kind: 'api_key', id }, 1],
        ],
      );
      assert.doesNotMatch(JSON.stringify(entries), /h1/);
    });

    it('writes nothing if nothing changes, or if the change is refused', async () => {
      const subject = { accountId: 'acme', id: apiKey().id };
      const audited = { action: 'key_changed', now: 9 } as const;
      await keys.add(apiKey());
      assert.deepEqual(await keys.change(subject, (key) => ({ ...key }), audited), apiKey());
      const refuse = () => {
        throw new Error('refused');
      };
      await assert.rejects(keys.change(subject, refuse, audited), /refused/);
      assert.deepEqual(await keys.findByHash('h1'), apiKey());
      const { total } = await audit.list('acme', { ...ALL, action: 'key_changed' });
      assert.equal(total, 0);
    });

    it('loses none of two concurrent changes', async () => {
      const subject = { accountId: 'acme', id: apiKey().id };
      await keys.add(apiKey());
      await Promise.all([
        keys.change(subject, (key) => ({ ...key, name: 'other' }), { action: 'key_changed', now: 2 }),
        keys.change(subject, (key) => revokedApiKey(key, 3), { action: 'key_revoked', now: 3 }),
      ]);
      assert.deepEqual(await keys.findByHash('h1'), apiKey({ name: 'other', revokedOn: 3 }));
    });

    it('records a use at most once a minute', async () => {
      const { id } = apiKey();
      await keys.add(apiKey());
      const uses: unknown[] = [];
      for (const [time, from] of [
        [1_000, '192.0.2.1'],
        [60_999, '192.0.2.2'],
        [61_000, '192.0.2.3'],
      ] as const) {
        await keys.recordUse(id, time, from);
        uses.push((await keys.findByHash('h1'))?.lastUse);
      }
      const first = { time: 1_000, from: '192.0.2.1' };
      assert.deepEqual(uses, [first, first, { time: 61_000, from: '192.0.2.3' }]);
    });

    it('keeps a use that is recorded while the key changes', async () => {
      const subject = { accountId: 'acme', id: apiKey().id };
      await keys.add(apiKey());
      await keys.recordUse(subject.id, 5, '192.0.2.1');
      await keys.change(subject, (key) => ({ ...key, lastUse: null, name: 'b' }), { action: 'key_changed', now: 9 });
      assert.deepEqual((await keys.findByHash('h1'))?.lastUse, { time: 5, from: '192.0.2.1' });
    });
  });
}

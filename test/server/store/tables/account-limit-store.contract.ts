import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AccountLimitStore } from '../../../../server/accounts/limits/account-limits.js';
import type { AuditStore } from '../../../../server/oversight/audit-store.js';
import { Cleanup } from '../../../support/cleanup.js';

export interface AccountLimitStores {
  readonly limits: AccountLimitStore;
  readonly audit: AuditStore;
}

/** The contract of AccountLimitStore. `open` returns empty stores with the accounts acme and other. */
export function accountLimitStoreContract(name: string, open: (cleanup: Cleanup) => Promise<AccountLimitStores>): void {
  describe(`${name} as an AccountLimitStore`, () => {
    const cleanup = new Cleanup();
    let { limits, audit }: AccountLimitStores = {} as AccountLimitStores;

    beforeEach(async () => {
      ({ limits, audit } = await open(cleanup));
    });
    afterEach(() => cleanup.run());

    it('returns the limits of the accounts that have any', async () => {
      const acme = { maxSessions: 5, maxCalls: 60, maxPublishBitrate: 1_000_000_000 };
      assert.deepEqual(await limits.all(), new Map());
      assert.deepEqual(await limits.update('acme', acme, 1), acme);
      assert.deepEqual(await limits.all(), new Map([['acme', acme]]));
    });

    it('changes only what is given', async () => {
      await limits.update('acme', { maxSessions: 0 }, 1);
      assert.deepEqual(await limits.update('acme', { maxCalls: 7 }, 2), {
        maxSessions: 0,
        maxCalls: 7,
        maxPublishBitrate: null,
      });
      const change = { maxSessions: null, maxPublishBitrate: 100_000 };
      assert.deepEqual(await limits.update('acme', change, 3), { ...change, maxCalls: 7 });
    });

    it('loses no change of two that come at once', async () => {
      await Promise.all([limits.update('acme', { maxSessions: 3 }, 1), limits.update('acme', { maxCalls: 4 }, 1)]);
      assert.deepEqual((await limits.all()).get('acme'), { maxSessions: 3, maxCalls: 4, maxPublishBitrate: null });
    });

    it('refuses an account that does not exist', async () => {
      await assert.rejects(limits.update('nobody', { maxSessions: 1 }, 1));
      assert.deepEqual(await limits.all(), new Map());
    });

    it('writes changes to the audit log', async () => {
      await limits.update('acme', { maxSessions: 5 }, 1_000);
      const { entries } = await audit.list('acme', { page: 1, itemsOnPage: 1, action: 'limits_changed' });
      assert.deepEqual(
        entries.map(({ target, before, after }) => ({ target, before, after })),
        [
          {
            target: { kind: 'account', id: 'acme' },
            before: { maxSessions: null, maxCalls: null, maxPublishBitrate: null },
            after: { maxSessions: 5, maxCalls: null, maxPublishBitrate: null },
          },
        ],
      );
    });
  });
}

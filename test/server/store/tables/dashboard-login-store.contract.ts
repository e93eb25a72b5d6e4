import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { DashboardLoginStore } from '../../../../server/accounts/dashboard-login-store.js';
import { Cleanup } from '../../../support/cleanup.js';

/** The contract of DashboardLoginStore. `open` returns an empty store with the account `acme`. */
export function dashboardLoginStoreContract(
  name: string,
  open: (cleanup: Cleanup) => Promise<DashboardLoginStore>,
): void {
  describe(`${name} as a DashboardLoginStore`, () => {
    const cleanup = new Cleanup();
    let store: DashboardLoginStore;

    beforeEach(async () => {
      store = await open(cleanup);
      await store.addCode({ hash: 'code', accountId: 'acme', expiresOn: 100 }, 0);
    });
    afterEach(() => cleanup.run());

    const spend = (session: string, now = 0) => store.spendCode('code', { hash: session, expiresOn: 1_000 }, now);

    it('exchanges a code for a session that expires', async () => {
      assert.equal(await spend('s1'), 'acme');
      assert.deepEqual(
        [await store.findSession('s1', 999), await store.findSession('s1', 1_000), await store.findSession('s2', 0)],
        ['acme', undefined, undefined],
      );
    });

    it('gives a session to one of several clients with the same code', async () => {
      const accounts = await Promise.all(['s1', 's2', 's3'].map((session) => spend(session)));
      assert.deepEqual(accounts.filter(Boolean), ['acme']);
      const sessions = await Promise.all(['s1', 's2', 's3'].map((session) => store.findSession(session, 0)));
      assert.deepEqual(sessions.filter(Boolean), ['acme']);
    });

    it('refuses an expired and an unknown code', async () => {
      assert.equal(await spend('s1', 100), undefined);
      assert.equal(await store.spendCode('else', { hash: 's1', expiresOn: 1_000 }, 0), undefined);
      assert.equal(await store.findSession('s1', 0), undefined);
    });

    it('stores several codes', async () => {
      await store.addCode({ hash: 'second', accountId: 'acme', expiresOn: 100 }, 0);
      assert.equal(await store.spendCode('second', { hash: 's2', expiresOn: 1_000 }, 0), 'acme');
      assert.equal(await spend('s1'), 'acme');
    });

    it('removes only the given session', async () => {
      await store.addCode({ hash: 'second', accountId: 'acme', expiresOn: 100 }, 0);
      await spend('s1');
      await store.spendCode('second', { hash: 's2', expiresOn: 1_000 }, 0);
      await store.removeSession('s1', 3);
      assert.deepEqual([await store.findSession('s1', 0), await store.findSession('s2', 0)], [undefined, 'acme']);
    });
  });
}

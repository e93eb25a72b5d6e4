import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { SESSION_IDLE_MS, type DashboardLoginStore } from '../../../../server/accounts/dashboard-login-store.js';
import { secretId } from '../../../../server/accounts/secret-value.js';
import { Cleanup } from '../../../support/cleanup.js';

/** Somebody who logged in with a link of the operator. */
const ACME = { accountId: 'acme', who: 'operator' } as const;

/** The contract of DashboardLoginStore. `open` returns an empty store with the accounts `acme` and `other`. */
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

    const login = (hash: string) => ({ hash, expiresOn: 1_000, address: '192.0.2.1', userAgent: 'Firefox' });
    const spend = (session: string, now = 0) => store.spendCode('code', login(session), now);

    it('exchanges a code for a session that expires', async () => {
      assert.deepEqual(await spend('s1'), ACME);
      assert.deepEqual(
        [await store.findSession('s1', 999), await store.findSession('s1', 1_000), await store.findSession('s2', 0)],
        [ACME, undefined, undefined],
      );
    });

    it('ends a session that was not used for a week', async () => {
      const open = { ...login('s1'), expiresOn: 10 * SESSION_IDLE_MS };
      await store.spendCode('code', open, 0);
      assert.deepEqual(await store.findSession('s1', SESSION_IDLE_MS - 1), ACME);
      assert.equal((await store.list('acme', 0))[0]?.expiresOn, SESSION_IDLE_MS);
      await store.recordUse('s1', SESSION_IDLE_MS - 1, '192.0.2.1');
      const end = 2 * SESSION_IDLE_MS - 1;
      assert.deepEqual([await store.findSession('s1', end - 1), await store.findSession('s1', end)], [ACME, undefined]);
      assert.deepEqual([(await store.list('acme', end - 1)).length, await store.list('acme', end)], [1, []]);
      assert.equal(await store.end('acme', secretId('ses', 's1'), end), false);
    });

    it('gives a session to one of several clients with the same code', async () => {
      const accounts = await Promise.all(['s1', 's2', 's3'].map((session) => spend(session)));
      assert.deepEqual(accounts.filter(Boolean), [ACME]);
      const sessions = await Promise.all(['s1', 's2', 's3'].map((session) => store.findSession(session, 0)));
      assert.deepEqual(sessions.filter(Boolean), [ACME]);
    });

    it('refuses an expired and an unknown code', async () => {
      assert.equal(await spend('s1', 100), undefined);
      assert.equal(await store.spendCode('else', login('s1'), 0), undefined);
      assert.equal(await store.findSession('s1', 0), undefined);
    });

    it('stores several codes', async () => {
      await store.addCode({ hash: 'second', accountId: 'acme', expiresOn: 100 }, 0);
      assert.deepEqual(await store.spendCode('second', login('s2'), 0), ACME);
      assert.deepEqual(await spend('s1'), ACME);
    });

    describe('with several sessions', () => {
      const idOf = (hash: string) => secretId('ses', hash);
      const hashes = ['a', 'b', 'c'].map((letter) => letter.repeat(64));

      beforeEach(async () => {
        for (const [time, hash] of hashes.entries()) {
          await store.addCode(
            { hash: `code-${hash}`, accountId: hash === hashes[2] ? 'other' : 'acme', expiresOn: 100 },
            0,
          );
          await store.spendCode(`code-${hash}`, login(hash), time);
        }
      });
      const open = async () => (await store.list('acme', 50)).map(({ id }) => id);

      it('lists those of the account, the last seen first', async () => {
        assert.deepEqual(await store.list('acme', 50), [
          {
            id: idOf(hashes[1]!),
            createdOn: 1,
            lastSeenOn: 1,
            lastSeenFrom: '192.0.2.1',
            userAgent: 'Firefox',
            expiresOn: 1_000,
            memberName: null,
          },
          {
            id: idOf(hashes[0]!),
            createdOn: 0,
            lastSeenOn: 0,
            lastSeenFrom: '192.0.2.1',
            userAgent: 'Firefox',
            expiresOn: 1_000,
            memberName: null,
          },
        ]);
        assert.deepEqual(await store.list('acme', 1_000), []);
      });

      it('records a use at most once a minute', async () => {
        await store.recordUse(hashes[0]!, 59_999, '192.0.2.2');
        assert.equal((await store.list('acme', 50))[1]?.lastSeenOn, 0);
        await store.recordUse(hashes[0]!, 60_000, '192.0.2.2');
        const [first] = await store.list('acme', 50);
        assert.deepEqual([first?.lastSeenOn, first?.lastSeenFrom], [60_000, '192.0.2.2']);
      });

      it('ends one of the account', async () => {
        assert.equal(await store.end('acme', idOf(hashes[2]!), 50), false);
        assert.equal(await store.end('acme', idOf(hashes[0]!), 50), true);
        assert.equal(await store.end('acme', idOf(hashes[0]!), 50), false);
        assert.deepEqual(await open(), [idOf(hashes[1]!)]);
        assert.equal(await store.findSession(hashes[0]!, 50), undefined);
        assert.equal((await store.findSession(hashes[2]!, 50))?.accountId, 'other');
      });

      it('ends all of the account but one', async () => {
        assert.equal(await store.endOthers('acme', idOf(hashes[0]!), 50), 1);
        assert.deepEqual(await open(), [idOf(hashes[0]!)]);
        assert.equal(await store.endOthers('acme', undefined, 50), 1);
        assert.deepEqual(await open(), []);
        assert.equal((await store.findSession(hashes[2]!, 50))?.accountId, 'other');
      });
    });

    it('removes only the given session', async () => {
      await store.addCode({ hash: 'second', accountId: 'acme', expiresOn: 100 }, 0);
      await spend('s1');
      await store.spendCode('second', login('s2'), 0);
      await store.removeSession('s1', 3);
      assert.deepEqual([await store.findSession('s1', 0), await store.findSession('s2', 0)], [undefined, ACME]);
    });
  });
}

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { DashboardLoginStore } from '../../../../server/accounts/dashboard-login-store.js';
import type { MemberStore, NewMember } from '../../../../server/accounts/member-store.js';
import type { PasskeyStore } from '../../../../server/accounts/passkeys/passkey-store.js';
import { MAX_PASSKEYS, type Passkey } from '../../../../server/accounts/passkeys/passkey.js';
import type { AuditStore } from '../../../../server/oversight/audit-store.js';
import { Cleanup } from '../../../support/cleanup.js';

export interface PasskeyStores {
  readonly passkeys: PasskeyStore;
  readonly members: MemberStore;
  readonly logins: DashboardLoginStore;
  readonly audit: AuditStore;
}

const ANNA: NewMember = { id: 'mem_0000000000aa', accountId: 'acme', name: 'Anna', role: 'manager', createdOn: 1 };
const BERT: NewMember = { id: 'mem_0000000000bb', accountId: 'other', name: 'Bert', role: 'owner', createdOn: 2 };
const LATER = 1_000_000;

const aPasskey = (fields: Partial<Passkey> = {}): Passkey => ({
  id: 'pky_000000000001',
  credentialId: 'credential-1',
  accountId: 'acme',
  memberId: ANNA.id,
  name: 'Phone',
  host: 'live.example.com',
  publicKey: 'key',
  counter: 0,
  transports: ['internal', 'hybrid'],
  synced: true,
  createdOn: 10,
  lastUsedOn: null,
  ...fields,
});

/** The contract of PasskeyStore. `open` returns empty stores with the accounts acme and other. */
export function passkeyStoreContract(name: string, open: (cleanup: Cleanup) => Promise<PasskeyStores>): void {
  describe(`${name} as a PasskeyStore`, () => {
    const cleanup = new Cleanup();
    let { passkeys, members, logins, audit }: PasskeyStores = {} as PasskeyStores;
    let challenges = 0;

    beforeEach(async () => {
      ({ passkeys, members, logins, audit } = await open(cleanup));
      await members.add(ANNA, { hash: 'anna', expiresOn: 100 });
      await members.add(BERT, { hash: 'bert', expiresOn: 100 });
    });
    afterEach(() => cleanup.run());

    const challenge = (hash = `challenge ${(challenges += 1)}`, expiresOn = LATER) => ({ hash, expiresOn });
    const add = (fields: Partial<Passkey> = {}, used = challenge()) => passkeys.add(aPasskey(fields), used, 10);
    const signIn = (
      session: string,
      { counter = 0, used = challenge(), credentialId = 'credential-1', now = 20 } = {},
    ) =>
      passkeys.signIn(
        { credentialId, counter, challenge: used },
        { hash: session, expiresOn: LATER, address: '192.0.2.1', userAgent: 'Firefox' },
        now,
      );
    const latest = async (account = 'acme') => (await audit.list(account, { page: 1, itemsOnPage: 1 })).entries[0];

    it('returns what was added, the oldest first, to its member only', async () => {
      assert.equal(await add(), 'added');
      const second = {
        id: 'pky_000000000002',
        credentialId: 'credential-2',
        synced: false,
        transports: [],
        counter: 9,
      };
      assert.equal(await add({ ...second, createdOn: 5 }), 'added');
      assert.deepEqual(await passkeys.list(ANNA.id), [aPasskey({ ...second, createdOn: 5 }), aPasskey()]);
      assert.deepEqual(await passkeys.list(BERT.id), []);
      assert.deepEqual(await passkeys.findByCredential('credential-1'), aPasskey());
      assert.equal(await passkeys.findByCredential('credential-3'), undefined);
      assert.deepEqual(
        (await members.list('acme', 10)).map(({ passkeys: count }) => count),
        [2],
      );
      assert.equal((await members.update('acme', ANNA.id, { name: 'Ann' }, 10))?.passkeys, 2);
    });

    it('adds a credential once, for an existing member, and few enough', async () => {
      assert.equal(await add(), 'added');
      const other = { id: 'pky_000000000009', accountId: 'other', memberId: BERT.id };
      assert.equal(await add(other), 'exists');
      assert.equal(await add({ id: 'pky_000000000002', credentialId: 'x', memberId: 'mem_0' }), 'gone');
      assert.equal(await add({ id: 'pky_000000000002', credentialId: 'x', accountId: 'other' }), 'gone');
      for (let count = 1; count < MAX_PASSKEYS; count += 1) {
        assert.equal(await add({ id: `pky_${count}`, credentialId: `c${count}` }), 'added');
      }
      assert.equal(await add({ id: 'pky_full', credentialId: 'full' }), 'full');
      assert.equal(await add({ ...other, credentialId: 'theirs' }), 'added');
    });

    it('takes each challenge once, whatever it is used for', async () => {
      const used = challenge();
      assert.equal(await add({}, used), 'added');
      assert.equal(await add({ id: 'pky_000000000002', credentialId: 'x' }, used), 'challenge_used');
      assert.equal(await signIn('s1', { used }), 'challenge_used');
      const again = challenge();
      const both = await Promise.all([signIn('s2', { used: again }), signIn('s3', { used: again })]);
      assert.equal(both.filter((result) => result === 'challenge_used').length, 1);
    });

    it('begins a session of the member, with the last use', async () => {
      await add();
      const { id, name: called, role } = ANNA;
      const loggedIn = { accountId: 'acme', who: { id, name: called, role } };
      assert.deepEqual(await signIn('s1'), loggedIn);
      assert.deepEqual(await logins.findSession('s1', 20), loggedIn);
      assert.equal((await logins.list('acme', 20))[0]?.lastSeenFrom, '192.0.2.1');
      assert.equal((await passkeys.list(ANNA.id))[0]?.lastUsedOn, 20);
      const entry = await latest();
      assert.deepEqual([entry?.action, entry?.after?.['passkey']], ['dashboard_opened', 'pky_000000000001']);
      assert.equal(await signIn('s2', { credentialId: 'credential-2' }), 'gone');
    });

    it('refuses a counter that does not grow, unless the authenticator does not count', async () => {
      await add();
      await signIn('s1');
      await signIn('s2');
      assert.notEqual(typeof (await signIn('s3', { counter: 4 })), 'string');
      for (const counter of [4, 3, 0]) assert.equal(await signIn('s4', { counter }), 'passkey_wrong');
      assert.equal(await logins.findSession('s4', 20), undefined);
      assert.deepEqual((await passkeys.list(ANNA.id))[0]?.counter, 4);
    });

    it('lets one of two uses with the same counter sign in', async () => {
      await add({ counter: 1 });
      const both = await Promise.all([signIn('s1', { counter: 2 }), signIn('s2', { counter: 2 })]);
      assert.equal(both.filter((result) => result === 'passkey_wrong').length, 1);
    });

    it('renames and removes a passkey of the member only', async () => {
      await add();
      const [mine, theirs] = [ANNA.id, BERT.id].map((memberId) => ({ memberId, id: 'pky_000000000001' }));
      assert.equal(await passkeys.rename(theirs!, 'x', 30), undefined);
      assert.equal(await passkeys.remove(theirs!, 30), false);
      assert.deepEqual(await passkeys.rename(mine!, 'Key', 30), aPasskey({ name: 'Key' }));
      assert.deepEqual([(await latest())?.before, (await latest())?.after], [{ name: 'Phone' }, { name: 'Key' }]);
      const { id } = (await latest())!;
      await passkeys.rename(mine!, 'Key', 30);
      assert.equal((await latest())?.id, id);
      assert.equal(await passkeys.remove(mine!, 40), true);
      assert.equal((await latest())?.action, 'passkey_removed');
      assert.deepEqual(await passkeys.list(ANNA.id), []);
    });

    it('resets a member: no passkey and no login stays', async () => {
      await add();
      await signIn('s1');
      assert.equal(await passkeys.reset({ accountId: 'other', id: ANNA.id }, 30), false);
      assert.equal(await passkeys.reset({ accountId: 'acme', id: ANNA.id }, 30), true);
      assert.deepEqual([await passkeys.list(ANNA.id), await logins.findSession('s1', 30)], [[], undefined]);
      const { entries } = await audit.list('acme', { page: 1, itemsOnPage: 2 });
      assert.deepEqual(
        entries.map(({ action }) => action),
        ['dashboard_closed', 'passkey_removed'],
      );
      assert.equal((await members.list('acme', 30)).length, 1);
    });

    it('keeps none of a member who was removed', async () => {
      await add();
      await members.remove('acme', ANNA.id, 30);
      assert.equal(await passkeys.findByCredential('credential-1'), undefined);
      assert.equal(await signIn('s1'), 'gone');
    });
  });
}

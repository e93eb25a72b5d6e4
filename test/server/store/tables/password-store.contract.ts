import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { DashboardLoginStore } from '../../../../server/accounts/dashboard-login-store.js';
import type { MemberStore, NewMember } from '../../../../server/accounts/member-store.js';
import type { PasskeyStore } from '../../../../server/accounts/passkeys/passkey-store.js';
import { MOST_KNOWN } from '../../../../server/accounts/passwords/known-networks.js';
import type { PasswordStore, StoredPassword } from '../../../../server/accounts/passwords/password-store.js';
import type { AuditStore } from '../../../../server/oversight/audit-store.js';
import { Cleanup } from '../../../support/cleanup.js';

export interface PasswordStores {
  readonly passwords: PasswordStore;
  readonly passkeys: PasskeyStore;
  readonly members: MemberStore;
  readonly logins: DashboardLoginStore;
  readonly audit: AuditStore;
}

const ANNA: NewMember = { id: 'mem_0000000000aa', accountId: 'acme', name: 'Anna', role: 'manager', createdOn: 1 };
const BERT: NewMember = { id: 'mem_0000000000bb', accountId: 'other', name: 'Bert', role: 'owner', createdOn: 2 };

const PASSWORD: StoredPassword = {
  memberId: ANNA.id,
  accountId: 'acme',
  loginName: 'anna',
  hash: 'scrypt$16384$8$1$c2FsdA$aGFzaA1',
  codeSecretSealed: 'sealed',
  lastStep: 100,
  createdOn: 10,
  lastUsedOn: null,
  knownNetworks: [],
};

/** The contract of PasswordStore. `open` returns empty stores with the accounts acme and other. */
export function passwordStoreContract(name: string, open: (cleanup: Cleanup) => Promise<PasswordStores>): void {
  describe(`${name} as a PasswordStore`, () => {
    const cleanup = new Cleanup();
    let { passwords, passkeys, members, logins, audit }: PasswordStores = {} as PasswordStores;

    beforeEach(async () => {
      ({ passwords, passkeys, members, logins, audit } = await open(cleanup));
      await members.add(ANNA, { hash: 'anna', expiresOn: 100 });
      await members.add(BERT, { hash: 'bert', expiresOn: 100 });
    });
    afterEach(() => cleanup.run());

    const signIn = (session: string, step: number, password = PASSWORD, network?: string) =>
      passwords.signIn(
        { password, step, network },
        { hash: session, expiresOn: 1_000, address: '', userAgent: null },
        20,
      );
    const latest = async () => (await audit.list('acme', { page: 1, itemsOnPage: 1 })).entries[0];

    it('returns what was set, by member and by login name', async () => {
      assert.equal((await members.list('acme', 10))[0]?.hasPassword, false);
      assert.equal(await passwords.set(PASSWORD, 10), 'set');
      assert.deepEqual(await passwords.find(ANNA.id), PASSWORD);
      assert.deepEqual(await passwords.findByName('anna'), PASSWORD);
      assert.deepEqual([await passwords.find(BERT.id), await passwords.findByName('bert')], [undefined, undefined]);
      assert.equal((await members.list('acme', 10))[0]?.hasPassword, true);
      assert.equal((await members.update('acme', ANNA.id, { name: 'Ann' }, 10))?.hasPassword, true);
    });

    it('replaces the password of a member, and gives a login name to one member of all accounts', async () => {
      await passwords.set(PASSWORD, 10);
      const next = { ...PASSWORD, loginName: 'ann', hash: 'scrypt$16384$8$1$c2FsdA$aGFzaA2', createdOn: 11 };
      assert.equal(await passwords.set(next, 11), 'set');
      assert.deepEqual([await passwords.findByName('anna'), await passwords.find(ANNA.id)], [undefined, next]);
      assert.deepEqual((await latest())?.after, { loginName: 'ann' });
      const theirs = { ...PASSWORD, memberId: BERT.id, accountId: 'other' };
      assert.equal(await passwords.set({ ...theirs, loginName: 'ann' }, 12), 'name_taken');
      assert.equal(await passwords.set({ ...theirs, loginName: 'bert' }, 12), 'set');
      assert.equal(await passwords.set({ ...next, loginName: 'bert' }, 13), 'name_taken');
      assert.deepEqual(await passwords.find(ANNA.id), next);
      assert.equal(await passwords.set({ ...PASSWORD, memberId: 'mem_0', loginName: 'x' }, 14), 'gone');
    });

    it('begins a session once by each code, and by no older one', async () => {
      await passwords.set(PASSWORD, 10);
      const { id, name: called, role } = ANNA;
      const loggedIn = { accountId: 'acme', who: { id, name: called, role } };
      assert.equal(await signIn('s0', 100), undefined);
      const both = await Promise.all([signIn('s1', 101), signIn('s2', 101)]);
      assert.deepEqual(both.filter(Boolean), [loggedIn]);
      assert.equal(await signIn('s3', 100), undefined);
      assert.equal((await logins.list('acme', 20)).length, 1);
      const { lastStep, lastUsedOn } = (await passwords.find(ANNA.id))!;
      assert.deepEqual([lastStep, lastUsedOn], [101, 20]);
      const { action, after } = (await latest())!;
      assert.deepEqual([action, after?.['loginName']], ['dashboard_opened', 'anna']);
    });

    it('knows the networks of the last logins, the newest first', async () => {
      await passwords.set(PASSWORD, 10);
      const stored = async () => (await passwords.find(ANNA.id))!;
      let step = 100;
      for (const network of ['a', 'b', 'a', undefined]) {
        await signIn(`s${(step += 1)}`, step, await stored(), network);
      }
      assert.deepEqual((await stored()).knownNetworks, ['a', 'b']);
      for (let other = 0; other < MOST_KNOWN; other += 1) {
        await signIn(`s${(step += 1)}`, step, await stored(), `other ${other}`);
      }
      assert.equal((await stored()).knownNetworks.length, MOST_KNOWN);
      assert.equal((await stored()).knownNetworks.includes('a'), false);
      await passwords.set({ ...(await stored()), hash: 'scrypt$16384$8$1$c2FsdA$aGFzaA2' }, 30);
      assert.equal((await stored()).knownNetworks.length, MOST_KNOWN);
    });

    it('begins no session by a password that was replaced or removed meanwhile', async () => {
      await passwords.set(PASSWORD, 10);
      await passwords.set({ ...PASSWORD, hash: 'scrypt$16384$8$1$c2FsdA$aGFzaA2' }, 11);
      assert.equal(await signIn('s1', 101), undefined);
      assert.deepEqual([(await latest())?.action, (await latest())?.targetName], ['password_set', 'Anna']);
      assert.equal(await passwords.remove(ANNA.id, 12), true);
      assert.deepEqual([(await latest())?.action, (await latest())?.targetName], ['password_removed', 'Anna']);
      assert.equal(await passwords.remove(ANNA.id, 12), false);
      assert.equal(await signIn('s1', 101), undefined);
    });

    it('keeps none of a member who was reset or removed', async () => {
      await passwords.set(PASSWORD, 10);
      await passkeys.reset({ accountId: 'acme', id: ANNA.id }, 20);
      assert.equal(await passwords.findByName('anna'), undefined);
      await passwords.set(PASSWORD, 21);
      await members.remove('acme', ANNA.id, 22);
      assert.equal(await passwords.findByName('anna'), undefined);
      assert.equal(await signIn('s1', 101), undefined);
    });
  });
}

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { DashboardLoginStore, LoggedIn } from '../../../../server/accounts/dashboard-login-store.js';
import type { MemberStore, NewMember } from '../../../../server/accounts/member-store.js';
import type { AuditStore } from '../../../../server/oversight/audit-store.js';
import type { Database } from '../../../../server/store/schema.js';
import { Cleanup } from '../../../support/cleanup.js';

export interface MemberStores {
  readonly members: MemberStore;
  readonly logins: DashboardLoginStore;
  readonly audit: AuditStore;
  readonly db: Database;
}

const ANNA: NewMember = { id: 'mem_0000000000aa', accountId: 'acme', name: 'Anna', role: 'manager', createdOn: 1 };
const BERT: NewMember = { id: 'mem_0000000000bb', accountId: 'acme', name: 'Bert', role: 'figures', createdOn: 2 };
const LATER = 1_000_000;

/** The contract of MemberStore. `open` returns empty stores with the accounts acme and other. */
export function memberStoreContract(name: string, open: (cleanup: Cleanup) => Promise<MemberStores>): void {
  describe(`${name} as a MemberStore`, () => {
    const cleanup = new Cleanup();
    let { members, logins, audit, db }: MemberStores = {} as MemberStores;

    beforeEach(async () => {
      ({ members, logins, audit, db } = await open(cleanup));
      await members.add(ANNA, { hash: 'anna', expiresOn: 100 });
      await members.add(BERT, { hash: 'bert', expiresOn: 100 });
    });
    afterEach(() => cleanup.run());

    const logIn = (code: string, session: string, now = 10) =>
      logins.spendCode(code, { hash: session, expiresOn: LATER, address: '', userAgent: null }, now);
    const memberOf = (loggedIn: LoggedIn | undefined) => (loggedIn?.who === 'operator' ? undefined : loggedIn?.who);
    const actions = async () =>
      (await audit.list('acme', { page: 1, itemsOnPage: 3 })).entries.map(({ action, target }) => [action, target.id]);

    it('lists the members of an account, the oldest first', async () => {
      const expected = [
        { ...ANNA, lastSeenOn: null, passkeys: 0, hasPassword: false },
        { ...BERT, lastSeenOn: null, passkeys: 0, hasPassword: false },
      ];
      assert.deepEqual([await members.list('acme', 0), await members.list('other', 0)], [expected, []]);
    });

    it('lets a member log in once by the link, with the role', async () => {
      const { id, name: called, role } = ANNA;
      assert.deepEqual(await logIn('anna', 's1'), { accountId: 'acme', who: { id, name: called, role } });
      assert.equal(await logIn('anna', 's2'), undefined);
      assert.deepEqual(await logins.findSession('s1', 10), { accountId: 'acme', who: { id, name: called, role } });
      assert.deepEqual(
        (await members.list('acme', 10)).map(({ lastSeenOn }) => lastSeenOn),
        [10, null],
      );
      assert.equal((await logins.list('acme', 10))[0]?.memberName, 'Anna');
    });

    it('gives a login of the operator to a new member, once', async () => {
      const carl: NewMember = {
        id: 'mem_0000000000cc',
        accountId: 'acme',
        name: 'Carl',
        role: 'owner',
        createdOn: 3,
      };
      await logins.addCode({ hash: 'operator', accountId: 'acme', expiresOn: 100 }, 0);
      await logIn('operator', 's1');
      await logIn('anna', 's2');
      for (const session of ['s2', 'none']) assert.equal(await members.adopt(carl, session), false);
      assert.equal(await members.adopt({ ...carl, accountId: 'other' }, 's1'), false);
      assert.equal(await members.adopt({ ...carl, createdOn: LATER }, 's1'), false);
      assert.equal((await members.list('acme', 10)).length, 2);
      assert.equal(await members.adopt(carl, 's1'), true);
      const { id, name: called, role } = carl;
      assert.deepEqual(await logins.findSession('s1', 10), { accountId: 'acme', who: { id, name: called, role } });
      assert.deepEqual((await actions())[0], ['member_added', id]);
      assert.equal(await members.adopt({ ...carl, id: 'mem_0000000000dd' }, 's1'), false);
    });

    it('knows no use by a session that has expired', async () => {
      await logIn('anna', 's1');
      assert.equal((await members.list('acme', LATER))[0]?.lastSeenOn, null);
    });

    it('replaces a link that was not opened', async () => {
      const member = await members.addCode('acme', ANNA.id, { hash: 'again', expiresOn: 100 }, 5);
      assert.deepEqual(member, { ...ANNA, lastSeenOn: null, passkeys: 0, hasPassword: false });
      assert.equal(await logIn('anna', 's1'), undefined);
      assert.equal(memberOf(await logIn('again', 's2'))?.name, 'Anna');
      assert.equal(memberOf(await logIn('bert', 's3'))?.name, 'Bert');
    });

    it('changes name and role, with effect on open sessions', async () => {
      await logIn('anna', 's1');
      const changed = await members.update('acme', ANNA.id, { role: 'figures' }, 20);
      assert.deepEqual(changed, { ...ANNA, role: 'figures', lastSeenOn: 10, passkeys: 0, hasPassword: false });
      assert.equal(memberOf(await logins.findSession('s1', 20))?.role, 'figures');
      assert.deepEqual((await actions())[0], ['member_changed', ANNA.id]);
      const [entry] = (await audit.list('acme', { page: 1, itemsOnPage: 1 })).entries;
      assert.deepEqual(
        [entry?.before, entry?.after],
        [
          { name: 'Anna', role: 'manager' },
          { name: 'Anna', role: 'figures' },
        ],
      );
    });

    it('is not logged in without a role that is known', async () => {
      await logIn('anna', 's1');
      const setRole = (role: string) => sql`update account_member set role = ${role} where id = ${ANNA.id}`.execute(db);
      for (const role of ['', 'admin', 'constructor']) {
        await setRole(role);
        assert.equal(await logins.findSession('s1', 20), undefined, role);
      }
      await setRole('manager');
      assert.equal(memberOf(await logins.findSession('s1', 20))?.role, 'manager');
    });

    it('writes nothing if nothing changes', async () => {
      const before = await actions();
      await members.update('acme', ANNA.id, { name: 'Anna', role: 'manager' }, 20);
      assert.deepEqual(await actions(), before);
    });

    it('removes a member with their links and logins, and nobody else', async () => {
      await members.addCode('acme', ANNA.id, { hash: 'again', expiresOn: 100 }, 5);
      await logIn('again', 's1');
      await members.addCode('acme', ANNA.id, { hash: 'unused', expiresOn: 100 }, 5);
      await logIn('bert', 's2');
      assert.equal(await members.remove('acme', ANNA.id, 20), true);
      assert.equal(await members.remove('acme', ANNA.id, 20), false);
      assert.deepEqual([await logins.findSession('s1', 20), await logIn('unused', 's3', 20)], [undefined, undefined]);
      assert.equal(memberOf(await logins.findSession('s2', 20))?.name, 'Bert');
      assert.deepEqual((await actions())[0], ['member_removed', ANNA.id]);
      assert.equal((await actions())[1]?.[0], 'dashboard_closed');
      const { entries } = await audit.list('acme', { page: 1, itemsOnPage: 9 });
      const names = new Map(entries.map(({ action, targetName }) => [action, targetName]));
      for (const action of [
        'dashboard_link_created',
        'dashboard_opened',
        'dashboard_closed',
        'member_removed',
      ] as const)
        assert.equal(names.get(action), 'Anna', action);
    });

    it('keeps accounts apart', async () => {
      const code = { hash: 'x', expiresOn: 100 };
      assert.equal(await members.addCode('other', ANNA.id, code, 5), undefined);
      assert.equal(await members.update('other', ANNA.id, { role: 'owner' }, 5), undefined);
      assert.equal(await members.remove('other', ANNA.id, 5), false);
      assert.deepEqual((await members.list('acme', 5))[0], {
        ...ANNA,
        lastSeenOn: null,
        passkeys: 0,
        hasPassword: false,
      });
    });
  });
}

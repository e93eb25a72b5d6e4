import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AccountStore } from '../../../../server/accounts/account-store.js';
import type { ApiSecretStore } from '../../../../server/accounts/api-secret-service.js';
import type { DashboardLoginStore } from '../../../../server/accounts/dashboard-login-store.js';
import { runAsActor } from '../../../../server/oversight/actor.js';
import type { AuditStore } from '../../../../server/oversight/audit-store.js';
import type { TokenStore } from '../../../../server/tokens/token-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { aTokenRecord } from '../../../support/token.js';

/** The stores of one database. */
export interface AuditedStores {
  readonly audit: AuditStore;
  readonly accounts: AccountStore;
  readonly secrets: ApiSecretStore;
  readonly logins: DashboardLoginStore;
  readonly tokens: TokenStore;
}

const ALL = { page: 1, itemsOnPage: 100 };
const SCOPE = { accountId: 'acme', kind: 'publish' } as const;

/** The contract of the audit log. `open` returns empty stores with the account `acme`. */
export function auditStoreContract(
  name: string,
  open: (cleanup: Cleanup, now: () => number) => Promise<AuditedStores>,
): void {
  describe(`${name} as an AuditStore`, () => {
    const cleanup = new Cleanup();
    let stores: AuditedStores;
    let now: number;

    beforeEach(async () => {
      now = 1_000;
      stores = await open(cleanup, () => now);
    });
    afterEach(() => cleanup.run());

    const entries = async (accountId = 'acme') =>
      (await stores.audit.list(accountId, ALL)).entries
        .filter(({ action }) => action !== 'account_created')
        .map(({ id: _id, accountId: _account, ...entry }) => entry);
    const create = () =>
      stores.tokens.create({ ...aTokenRecord({ ...SCOPE, label: 'a', subscribeRequiresAuth: true }), ...SCOPE });

    it('records the creation, change and deletion of a token, never its value', async () => {
      const token = await create();
      now = 2_000;
      await stores.tokens.update(SCOPE, token.id, (present) => ({ ...present, label: 'b', isActive: false }));
      await stores.tokens.delete(SCOPE, token.id);

      const target = { kind: 'publish_token', id: String(token.id) };
      const actor = { by: 'server', id: null };
      const whole = {
        label: 'a',
        streams: [{ streamName: 'main', isRegex: false }],
        allowedOrigins: [],
        allowedIpAddresses: [],
        deniedIpAddresses: [],
        allowedCountries: [],
        deniedCountries: [],
        bindIpsOnUsage: 0,
        isActive: true,
        expiresOn: null,
        subscribeRequiresAuth: true,
        record: false,
        recordingRetentionDays: null,
      };
      assert.deepEqual(await entries(), [
        {
          time: 2_000,
          actor,
          action: 'token_deleted',
          target,
          targetName: 'b',
          before: { ...whole, label: 'b', isActive: false },
          after: null,
        },
        {
          time: 2_000,
          actor,
          action: 'token_changed',
          target,
          targetName: 'b',
          before: { label: 'a', isActive: true },
          after: { label: 'b', isActive: false },
        },
        { time: 1_000, actor, action: 'token_created', target, targetName: 'a', before: null, after: whole },
      ]);
      assert.doesNotMatch(JSON.stringify(await entries()), new RegExp(token.token));
    });

    it('records a refresh as such', async () => {
      const token = await create();
      await stores.tokens.update(SCOPE, token.id, (present) => ({ ...present, token: 'cd'.repeat(32) }));
      const [newest] = await entries();
      assert.deepEqual([newest?.action, newest?.before, newest?.after], ['token_refreshed', {}, {}]);
    });

    it('records each deleted expired token', async () => {
      const label = 'short';
      const ends = { expiresOn: 1_500, token: 'cd'.repeat(32), label };
      const short = await stores.tokens.create({ ...aTokenRecord({ ...SCOPE, ...ends }), ...SCOPE });
      await create();
      now = 2_000;
      assert.deepEqual(await stores.tokens.deleteExpired(now, 10), [short.id]);
      const [newest, ...older] = await entries();
      assert.deepEqual(
        [newest?.action, newest?.time, newest?.actor.by, newest?.target.id, newest?.before?.['label'], newest?.after],
        ['token_deleted', 2_000, 'server', String(short.id), label, null],
      );
      assert.equal(older.length, 2);
      assert.doesNotMatch(JSON.stringify(newest), new RegExp(short.token));
    });

    it('records nothing for an update without a difference', async () => {
      const token = await create();
      await stores.tokens.update(SCOPE, token.id, (present) => present);
      await stores.tokens.delete({ ...SCOPE, accountId: 'other' }, token.id);
      await stores.tokens.delete(SCOPE, token.id + 1);
      await assert.rejects(stores.tokens.update(SCOPE, token.id, () => assert.fail('no')));
      await stores.secrets.replace('acme', 'h1', now);
      await stores.secrets.remove('acme', now);
      await stores.logins.removeSession('nobody', now);
      assert.deepEqual(
        (await entries()).map(({ action }) => action),
        ['token_created'],
      );
    });

    it('names the actor of each change', async () => {
      await Promise.all([
        runAsActor({ by: 'secret', id: 'sec_1' }, create),
        runAsActor({ by: 'cli', id: 'root' }, () => stores.secrets.add('acme', 'aaaabbbbccccdddd', now)),
      ]);
      const said = (await entries()).map(({ action, actor }) => [action, actor.by, actor.id]);
      assert.deepEqual(said.toSorted(), [
        ['secret_created', 'cli', 'root'],
        ['token_created', 'secret', 'sec_1'],
      ]);
    });

    it('records secrets by their ids', async () => {
      await stores.secrets.add('acme', 'aaaabbbbccccdddd', 1);
      await stores.secrets.replace('acme', 'eeeeffff00001111', 2);
      await stores.secrets.remove('acme', 3);
      const [old, fresh] = ['sec_aaaabbbbcccc', 'sec_eeeeffff0000'];
      assert.deepEqual(
        (await entries()).map(({ action, target, before, after, time }) => [action, target.id, before, after, time]),
        [
          ['secret_deleted', fresh, { id: fresh }, null, 3],
          ['secret_refreshed', fresh, { id: old }, { id: fresh }, 2],
          ['secret_created', old, null, { id: old }, 1],
        ],
      );
    });

    it('records dashboard links and the sessions that they opened', async () => {
      await stores.logins.addCode({ hash: 'c'.repeat(64), accountId: 'acme', expiresOn: 9_000 }, 1);
      await stores.logins.spendCode(
        'c'.repeat(64),
        { hash: 's'.repeat(64), expiresOn: 9_000, address: '', userAgent: null },
        2,
      );
      await stores.logins.spendCode(
        'c'.repeat(64),
        { hash: 't'.repeat(64), expiresOn: 9_000, address: '', userAgent: null },
        2,
      );
      await stores.logins.removeSession('s'.repeat(64), 3);
      const session = `ses_${'s'.repeat(12)}`;
      const link = `lnk_${'c'.repeat(12)}`;
      assert.deepEqual(
        (await entries()).map(({ action, target, after }) => [action, target.id, after?.['link']]),
        [
          ['dashboard_closed', session, undefined],
          ['dashboard_opened', session, link],
          ['dashboard_link_created', link, undefined],
        ],
      );
    });

    it('knows when the newest entry of any account was written', async () => {
      now = 5_000;
      await create();
      assert.equal(await stores.audit.newestTime(), 5_000);
      await stores.audit.prune(Number.MAX_SAFE_INTEGER);
      assert.equal(await stores.audit.newestTime(), undefined);
    });

    it('separates accounts, filters by action, counts all pages and deletes old entries', async () => {
      await stores.accounts.create('other');
      const [, ...more] = (await stores.audit.list('other', ALL)).entries;
      assert.deepEqual(more, []);
      for (let turn = 0; turn < 3; turn += 1) await stores.secrets.add('acme', `h${turn}`, turn);
      await stores.secrets.remove('acme', 5_000);
      const removed = await stores.audit.list('acme', { ...ALL, action: 'secret_deleted' });
      assert.deepEqual([removed.entries.length, removed.total], [1, 1]);
      const { entries: second, total } = await stores.audit.list('acme', { page: 2, itemsOnPage: 1 });
      assert.deepEqual([second.length, total], [1, 3]);
      await stores.audit.prune(5_000);
      assert.deepEqual(
        (await entries()).map(({ action }) => action),
        ['secret_deleted'],
      );
    });
  });
}

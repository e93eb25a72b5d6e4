import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { revokedApiKey, type ApiKey } from '../../../server/accounts/api-key.js';
import { ADDRESS_DELAY } from '../../../server/accounts/passwords/attempt-delay.js';
import type { ValueSeal } from '../../../server/store/keys/value-seal.js';
import type { Database } from '../../../server/store/schema.js';
import { SqlAccountLimitStore } from '../../../server/store/tables/sql-account-limit-store.js';
import { SqlApiKeyStore } from '../../../server/store/tables/sql-api-key-store.js';
import { SqlAttemptStore } from '../../../server/store/tables/sql-attempt-store.js';
import { SqlDashboardLoginStore } from '../../../server/store/tables/sql-dashboard-login-store.js';
import { SqlRecordingStore } from '../../../server/store/tables/sql-recording-store.js';
import { SqlScheduleStore } from '../../../server/store/tables/sql-schedule-store.js';
import { SqlMemberStore } from '../../../server/store/tables/sql-member-store.js';
import { SqlTokenStore } from '../../../server/store/tables/sql-token-store.js';
import { Cleanup } from '../../support/cleanup.js';
import { aRecording } from '../../support/recording.js';
import { aScheduledStream } from '../../support/scheduled-stream.js';
import { aTokenRecord } from '../../support/token.js';

/** No time that a Date has, and a number for every database. */
const NO_TIME = 9e15;
const NOW = 1_000_000;
const UNREADABLE = { code: 'stored_row_unreadable', status: 409 };

/** What cannot be read permits nothing. `open` returns an empty database with the accounts acme and other. */
export function unreadableRowsContract(
  name: string,
  seal: ValueSeal,
  open: (cleanup: Cleanup) => Promise<Database>,
): void {
  describe(`${name} and rows that cannot be read`, () => {
    const cleanup = new Cleanup();
    let db: Database;
    beforeEach(async () => {
      db = await open(cleanup);
    });
    afterEach(() => cleanup.run());

    const damage = async (table: string, values: Readonly<Record<string, string | number>>) => {
      for (const [column, value] of Object.entries(values)) {
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}`.execute(db);
      }
    };

    for (const [column, value] of Object.entries({
      kind: 'both',
      subscribe_requires_auth: 2,
      is_active: 2,
      expires_on: NO_TIME,
      allowed_origins: '{',
      allowed_addresses: '["192.0.2.0/99"]',
      denied_addresses: '["everybody"]',
      allowed_countries: '{}',
      denied_countries: '["Atlantis"]',
      bind_ips_on_usage: -1,
      max_sessions: -1,
      when_full: 'admit',
    })) {
      it(`admit nobody with a token of which ${column} cannot be read, and let it be deleted`, async () => {
        const tokens = new SqlTokenStore(db, seal);
        const presented = 'ab'.repeat(32);
        const { id, kind } = await tokens.create(aTokenRecord({ token: presented }));
        await damage('token', { [column]: value });
        for await (const { id: loaded } of tokens.all()) assert.fail(`${loaded} is loaded`);
        assert.equal(await tokens.findByValue(presented), undefined);
        const scope = { accountId: 'acme', kind };
        if (column === 'kind') return;
        await assert.rejects(tokens.get(scope, id), UNREADABLE);
        await assert.rejects(
          tokens.update(scope, id, (token) => token),
          UNREADABLE,
        );
        const byName = { page: 1, itemsOnPage: 9, sortBy: 'Name', isDescending: false } as const;
        for (const query of [byName, { ...byName, search: 'main' }]) {
          assert.deepEqual(
            (await tokens.list(scope, query)).tokens.map((token) => [
              token.id,
              token.token,
              token.isActive,
              token.unreadable,
            ]),
            [[id, '', false, true]],
            'its owner sees it',
          );
        }
        assert.equal(await tokens.delete(scope, id), true);
      });
    }

    for (const [column, value] of Object.entries({ starts_on: NO_TIME, ends_on: NO_TIME, revision: -1 })) {
      it(`show a scheduled stream of which ${column} cannot be read to its owner, who can remove it`, async () => {
        const schedule = new SqlScheduleStore(db);
        const stream = aScheduledStream();
        const { accountId, id, title } = stream;
        await schedule.add(stream);
        await damage('scheduled_stream', { [column]: value });
        const { streams } = await schedule.list(accountId, { page: 1, itemsOnPage: 9 }, NOW);
        assert.deepEqual(
          streams.map((each) => [each.id, each.title, each.unreadable]),
          [[id, title, true]],
        );
        assert.equal(await schedule.find(id), undefined, 'it is not announced');
        await assert.rejects(
          schedule.change({ accountId, id }, (before) => before, NOW),
          UNREADABLE,
        );
        assert.ok(await schedule.remove(accountId, id, NOW));
        assert.deepEqual((await schedule.list(accountId, { page: 1, itemsOnPage: 9 }, NOW)).streams, []);
      });
    }

    it('admit nobody with a token of which a stream or a bound address cannot be read', async () => {
      const tokens = new SqlTokenStore(db, seal);
      const { id } = await tokens.create(aTokenRecord({ bindIpsOnUsage: 2 }));
      await tokens.bindAddress(id, '192.0.2.1', NOW);
      await damage('token_bound_ip', { bound_on: NO_TIME });
      assert.equal(await tokens.find(id), undefined);
      assert.equal((await tokens.bindAddress(id, '192.0.2.1', NOW)).binding, 'full');
      await damage('token_bound_ip', { bound_on: NOW });
      assert.equal((await tokens.find(id))?.id, id);
      await damage('token_stream', { is_regex: 7 });
      assert.equal(await tokens.find(id), undefined);
      const query = { page: 1, itemsOnPage: 9, sortBy: 'Name', isDescending: false } as const;
      const { tokens: listed } = await tokens.list({ accountId: 'acme', kind: 'subscribe' }, query);
      assert.deepEqual(
        listed.map((token) => [token.id, token.streams, token.boundIps, token.unreadable]),
        [[id, [], [], true]],
      );
    });

    it('give no rights to a member without a readable role, until they get another', async () => {
      const [members, logins] = [new SqlMemberStore(db), new SqlDashboardLoginStore(db)];
      const member = {
        id: 'mem_0000000000aa',
        accountId: 'acme',
        name: 'Anna',
        role: 'owner',
        createdOn: NOW,
      } as const;
      const login = { expiresOn: NOW * 2, address: '', userAgent: null };
      await members.add(member, { hash: 'code', expiresOn: NOW * 2 });
      assert.ok(await logins.spendCode('code', { ...login, hash: 'session' }, NOW));
      await members.addCode('acme', member.id, { hash: 'next', expiresOn: NOW * 2 }, NOW);
      await damage('account_member', { role: 'emperor' });
      assert.equal(await logins.findSession('session', NOW), undefined);
      assert.equal(await logins.spendCode('next', { ...login, hash: 'second' }, NOW), undefined);
      assert.deepEqual(
        (await members.list('acme', NOW)).map(({ role }) => role),
        [null],
      );
      await members.update('acme', member.id, { role: 'figures' }, NOW);
      assert.deepEqual(await logins.findSession('session', NOW), {
        accountId: 'acme',
        who: { id: member.id, name: 'Anna', role: 'figures' },
      });
    });

    it('take a login, a login code or a key without a readable expiry for expired', async () => {
      const logins = new SqlDashboardLoginStore(db);
      const session = { hash: 'session', expiresOn: NOW * 2, address: '', userAgent: null };
      for (const hash of ['first', 'second'])
        await logins.addCode({ hash, accountId: 'acme', expiresOn: NOW * 2 }, NOW);
      assert.ok(await logins.spendCode('first', session, NOW));
      await damage('dashboard_code', { expires_on: NO_TIME });
      assert.equal(await logins.spendCode('second', { ...session, hash: 'other' }, NOW), undefined);
      await damage('dashboard_session', { expires_on: NO_TIME });
      assert.equal(await logins.findSession('session', NOW), undefined);
      assert.equal(await logins.endOthers('acme', undefined, NOW), 0);
      assert.equal((await db.selectFrom('dashboard_session').selectAll().execute()).length, 0, 'it can be ended');

      const keys = new SqlApiKeyStore(db);
      const key = { id: 'key_1', accountId: 'acme', name: 'k', valueHash: 'hash', oldValue: null, createdOn: NOW };
      const rest = { scopes: ['read'], expiresOn: NOW * 2, lastUse: null, revokedOn: null } as const;
      await keys.add({ ...key, ...rest });
      await damage('api_key', { created_on: NO_TIME });
      assert.equal((await keys.findByHash('hash'))?.createdOn, 0);
      await damage('api_key', { expires_on: NO_TIME });
      assert.equal(await keys.findByHash('hash'), undefined);
    });

    const aKey = { id: 'key_1', accountId: 'acme', name: 'k', valueHash: 'hash', createdOn: NOW } as const;
    for (const [column, value] of Object.entries({ scopes: '{', expires_on: NO_TIME, revoked_on: NO_TIME })) {
      it(`show a key of which ${column} cannot be read to its owner, who can revoke it`, async () => {
        const keys = new SqlApiKeyStore(db);
        await keys.add({ ...aKey, oldValue: null, scopes: ['read'], expiresOn: null, lastUse: null, revokedOn: null });
        await damage('api_key', { [column]: value });
        const listed = async () => (await keys.list('acme', { page: 1, itemsOnPage: 9 })).keys;
        assert.deepEqual(
          (await listed()).map(({ id, name, unreadable }) => [id, name, unreadable]),
          [['key_1', 'k', true]],
        );
        const key = { accountId: 'acme', id: 'key_1' };
        await assert.rejects(
          keys.change(key, (before) => ({ ...before, name: 'b' }), { action: 'key_changed', now: NOW }),
          UNREADABLE,
        );
        const decide = (before: ApiKey) => revokedApiKey(before, NOW);
        const revoked = await keys.change(key, decide, { action: 'key_revoked', now: NOW });
        assert.equal(revoked?.revokedOn, NOW);
        assert.deepEqual(
          (await listed()).map(({ revokedOn }) => revokedOn),
          [NOW],
        );
        assert.notEqual((await keys.findByHash('hash'))?.revokedOn, null);
      });
    }

    for (const [column, value] of Object.entries({
      kind: 'film',
      state: 'gone',
      parts: '{',
      started_on: NO_TIME,
      location: 'moon',
      container: 'avi',
    })) {
      it(`show a recording of which ${column} cannot be read to its owner, who can delete it`, async () => {
        const recordings = new SqlRecordingStore(db);
        const recording = aRecording();
        await recordings.add(recording);
        await damage('recording', { [column]: value });
        const { id } = recording;
        const everything = { page: 1, itemsOnPage: 9, streamName: undefined, state: undefined };
        const listed = async () => (await recordings.list('acme', everything)).recordings;
        assert.deepEqual(
          (await listed()).map((each) => [each.id, each.streamName, each.state, each.fault]),
          [[id, recording.streamName, 'failed', 'stored_row_unreadable']],
        );
        assert.equal(await recordings.findAny(id), undefined, 'nothing is done with it');
        assert.equal(await recordings.find('other', id), undefined);
        assert.equal((await recordings.find('acme', id))?.fault, 'stored_row_unreadable');
        await assert.rejects(recordings.setExpiry({ accountId: 'acme', id }, NOW, NOW), UNREADABLE);
        assert.ok(await recordings.remove('acme', id, NOW));
        assert.deepEqual(await listed(), []);
      });
    }

    it('allow nothing by a limit that cannot be read, and the others by theirs', async () => {
      const limits = new SqlAccountLimitStore(db);
      await limits.update('acme', { maxSessions: 5, maxCalls: 6, maxPublishBitrate: null }, NOW);
      await damage('account_limit', { max_sessions: -1 });
      assert.deepEqual((await limits.all()).get('acme'), { maxSessions: 0, maxCalls: 6, maxPublishBitrate: null });
    });

    it('let one attempt to log in through where those before cannot be read, and then make it wait', async () => {
      const attempts = new SqlAttemptStore(db);
      const subject = { key: 'address 192.0.2.1', rule: ADDRESS_DELAY };
      assert.equal(await attempts.begin([subject], NOW), undefined);
      await damage('failed_attempt', { failures: -1_000, waits_until: 0 });
      assert.equal(await attempts.begin([subject], NOW), undefined);
      assert.equal(await attempts.begin([subject], NOW), NOW + ADDRESS_DELAY.mostMs);
    });
  });
}

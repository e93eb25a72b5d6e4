import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import { endpoints } from '../../../../server/http/endpoints/endpoints.js';
import type { Endpoint } from '../../../../server/http/endpoints/endpoint.js';
import { openDatabase } from '../../../../server/store/database.js';
import { SqlSessionStore } from '../../../../server/store/tables/sql-session-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { SoftwareAuthenticator } from '../../../support/software-authenticator.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';
import { aStoredSession, sessionIdOf } from '../../store/tables/session-store.contract.js';

const ofAccounts = endpoints.filter(({ access }) => access === 'account');
const ofLogins = endpoints.filter(({ path, method }) => path.startsWith('/api/dashboard/') && method === 'post');

/** What an endpoint with an id needs to be asked for the object of another account. */
const BODIES: Readonly<Record<string, object>> = {
  updatePublishToken: { label: 'x' },
  updatePublishTokenV2: { label: 'x' },
  updateSubscribeToken: { label: 'x' },
  updateSubscribeTokenV2: { label: 'x' },
  updateApiKey: { name: 'x' },
  updateMember: { name: 'x' },
  renamePasskey: { name: 'x' },
  updateScheduledStream: { title: 'x' },
};

/** Callers whose browser has the cookie of a login, or none, and who must not get through, for each route. */
describe('a call with the cookie of a dashboard login', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  /** Of an owner of the account `main`, who has one of everything. */
  let owner: ManagementClient;
  let cookie: string;
  /** Of an owner of another account. */
  let foreign: string;
  /** By the beginning of the path that has the id. */
  let ids: [path: string, id: string][];
  /** Values and ids of `main`. */
  let secrets: string[];

  before(async () => {
    app = await streamServer(cleanup);
    await app.server.accounts.create('other');
    cookie = await logIn('main');
    foreign = await logIn('other');
    owner = clientOf(cookie);
    const fields = { label: 'keynote', streams: [{ streamName: 'keynote' }] };
    const publish = await owner.publishTokens.create(fields);
    const subscribe = await owner.subscribeTokens.create(fields);
    const key = await owner.keys.create({ name: 'builds', scopes: ['everything'] });
    const member = await owner.members.invite({ name: 'Anna', role: 'owner' });
    await owner.members.join('Carla');
    await clientOf(foreign).members.join('Mallory');
    const made = new SoftwareAuthenticator().create(await owner.passkeys.creationOptions(), { origin: app.origin });
    const passkey = await owner.passkeys.add({ name: 'Phone', credential: made });
    const [login] = await owner.logins.list();
    const startsOn = new Date(app.clock.now).toISOString();
    const scheduled = await owner.schedule.create({ streamName: 'keynote', title: 'Keynote', startsOn });
    const db = await openDatabase(app.dataDir);
    cleanup.after(() => db.destroy());
    await new SqlSessionStore(db).save([aStoredSession({ accountId: 'main', streamName: 'keynote' })]);
    ids = [
      ['/api/publish_token/', String(publish.Id)],
      ['/api/v2/publish_token/', String(publish.Id)],
      ['/api/subscribe_token/', String(subscribe.Id)],
      ['/api/v2/subscribe_token/', String(subscribe.Id)],
      ['/api/account/keys/', key.id],
      ['/api/account/members/', member.id],
      ['/api/account/passkeys/', passkey.id],
      ['/api/account/logins/', login!.id],
      ['/api/schedule/', scheduled.id],
      ['/api/streams/', sessionIdOf(1)],
      ['/api/stats/tokens/', String(subscribe.Id)],
    ];
    secrets = [publish.token, subscribe.token, key.id, key.value, member.id, passkey.id, login!.id, sessionIdOf(1)];
    secrets.push(scheduled.id);
  });
  after(() => cleanup.run());

  const logIn = async (account: string): Promise<string> => {
    const { dashboard } = app.server;
    return `streamgate_session=${(await dashboard.login(await dashboard.createCode(account)))!.session}`;
  };
  const clientOf = (login: string) =>
    new ManagementClient({
      endpoint: app.origin,
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, cookie: login } }),
    });
  const pathOf = ({ path }: Endpoint): string => {
    const [, id = '1'] = ids.find(([start]) => path.startsWith(start)) ?? [];
    return path.replace('{streamName}', 'keynote').replaceAll(/\{\w+\}/g, id);
  };
  const call = async (endpoint: Endpoint, headers: Record<string, string>) => {
    const body = BODIES[endpoint.id];
    const response = await fetch(app.origin + pathOf(endpoint), {
      method: endpoint.method.toUpperCase(),
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, code: JSON.parse(text).data?.code };
  };

  it('is refused without the cookie, on every route', async () => {
    for (const endpoint of ofAccounts) {
      const { status, code } = await call(endpoint, {});
      assert.deepEqual([status, code], [401, 'secret_missing'], endpoint.id);
    }
  });

  it('is refused with a cookie of nobody, on every route', async () => {
    for (const endpoint of ofAccounts) {
      const { status, code } = await call(endpoint, { cookie: 'streamgate_session=x' });
      assert.deepEqual([status, code], [401, 'login_required'], endpoint.id);
    }
  });

  for (const [from, headers] of [
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring host', { 'sec-fetch-site': 'same-site' }],
    ['another origin, by a browser without Sec-Fetch-Site', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['a client that sends an unknown Sec-Fetch-Site', { 'sec-fetch-site': 'self' }],
  ] as const) {
    it(`is refused from ${from}, on every route`, async () => {
      for (const endpoint of [...ofAccounts, ...ofLogins]) {
        const { status, code } = await call(endpoint, { cookie, ...headers });
        assert.deepEqual([status, code], [403, 'cross_site_refused'], endpoint.id);
      }
    });
  }

  it('finds nothing of another account, on every route that names an object', async () => {
    for (const endpoint of ofAccounts.filter(({ path }) => path.includes('{id}') || path.includes('{tokenId}'))) {
      const { status, text } = await call(endpoint, { cookie: foreign });
      const isWithoutBody = endpoint.body !== undefined && !(endpoint.id in BODIES);
      assert.ok(status === 404 || (isWithoutBody && status === 400), `${endpoint.id}: ${status} ${text}`);
    }
    assert.equal((await owner.publishTokens.list()).total, 1);
    assert.equal((await owner.members.list()).length, 2);
    assert.equal((await owner.schedule.list()).streams[0]?.title, 'Keynote');
    assert.deepEqual([(await owner.passkeys.list()).length, (await owner.logins.list()).length], [1, 1]);
    assert.equal((await owner.keys.list()).keys[0]?.revokedOn, null);
  });

  it('shows nothing of another account, on every route that reads', async () => {
    for (const endpoint of ofAccounts.filter(({ method, path }) => method === 'get' && !path.includes('{id}'))) {
      const { status, text } = await call(endpoint, { cookie: foreign });
      assert.ok(status < 500, `${endpoint.id}: ${text}`);
      for (const secret of secrets) assert.ok(!text.includes(secret), `${endpoint.id} shows ${secret}`);
    }
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';

type Json = ReturnType<typeof JSON.parse>;

describe('the browsers that are logged in to the dashboard', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  /** Logs a browser in. @returns its cookie */
  const logIn = async (userAgent: string, accountId = 'main'): Promise<string> => {
    const code = await app.server.dashboard.createCode(accountId);
    const headers = { 'content-type': 'application/json', 'user-agent': userAgent };
    const body = JSON.stringify({ code });
    const response = await fetch(`${app.origin}/api/dashboard/login`, { method: 'POST', headers, body });
    return response.headers.get('set-cookie')!.split(';', 1)[0]!;
  };
  const call = async (method: string, path: string, headers: Record<string, string>) => {
    const response = await fetch(`${app.origin}/api/account/logins${path}`, { method, headers });
    const { data }: Json = JSON.parse(await response.text());
    return { status: response.status, data };
  };

  it('are listed with time, address and browser, and which of them calls', async () => {
    await logIn('Firefox');
    app.clock.now += 60_000;
    const cookie = await logIn('Chrome');
    const { data } = await call('GET', '', { cookie });
    const [{ id, ...first }, second] = data;
    assert.match(id, /^ses_[0-9a-f]{12}$/);
    assert.deepEqual(first, {
      createdOn: '2030-01-01T00:01:00.000Z',
      lastSeenOn: '2030-01-01T00:01:00.000Z',
      lastSeenFrom: '127.0.0.1',
      userAgent: 'Chrome',
      memberName: null,
      expiresOn: '2030-01-08T00:01:00.000Z',
      current: true,
    });
    assert.deepEqual([second.userAgent, second.current], ['Firefox', false]);
  });

  it('show when they were last used, to the minute', async () => {
    const cookie = await logIn('Firefox');
    app.clock.now += 3_600_000;
    await call('GET', '', { cookie });
    let seen = '';
    while (seen !== '2030-01-01T01:00:00.000Z') seen = (await call('GET', '', { cookie })).data[0].lastSeenOn;
  });

  it('are logged out one by one, with an entry in the audit log', async () => {
    const [mine, other] = [await logIn('mine'), await logIn('other')];
    const { data } = await call('GET', '', { cookie: mine });
    const { id } = data.find(({ current }: Json) => !current);
    assert.deepEqual(await call('DELETE', `/${id}`, { cookie: mine }), { status: 200, data: true });
    assert.equal((await call('GET', '', { cookie: other })).data.code, 'login_required');
    const again = await call('DELETE', `/${id}`, { cookie: mine });
    assert.deepEqual([again.status, again.data.code], [404, 'login_not_found']);
    const audit = await fetch(`${app.origin}/api/audit?action=dashboard_closed`, { headers: { cookie: mine } });
    const [entry]: Json[] = JSON.parse(await audit.text()).data;
    assert.deepEqual([entry.target.id, entry.actor.by], [id, 'dashboard']);
  });

  it('are logged out all at once, except the one that calls', async () => {
    const [mine, ...others] = [await logIn('mine'), await logIn('one'), await logIn('two')];
    assert.deepEqual((await call('DELETE', '', { cookie: mine! })).data, { ended: 2 });
    for (const cookie of others) assert.equal((await call('GET', '', { cookie })).status, 401);
    assert.equal((await call('GET', '', { cookie: mine! })).data.length, 1);
  });

  it('are listed, and not logged out, by an API secret and by a key for everything', async () => {
    const cookie = await logIn('one');
    const headers = { cookie, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'job', scopes: ['everything'] });
    const created = await fetch(`${app.origin}/api/account/keys`, { method: 'POST', headers, body });
    for (const credential of [await app.server.secrets.create('main'), JSON.parse(await created.text()).data.value]) {
      const authorization = `Bearer ${credential}`;
      const [{ id, current }] = (await call('GET', '', { authorization })).data;
      assert.equal(current, false);
      for (const path of ['', `/${id}`]) {
        const { status, data } = await call('DELETE', path, { authorization });
        assert.deepEqual([status, data.code], [403, 'person_required'], path);
      }
    }
    assert.equal((await call('GET', '', { cookie })).data.length, 1);
  });

  it('are those of the account alone', async () => {
    await app.server.accounts.create('other');
    const [mine, theirs] = [await logIn('mine'), await logIn('theirs', 'other')];
    const [{ id }] = (await call('GET', '', { cookie: theirs })).data;
    assert.equal((await call('GET', '', { cookie: mine })).data.length, 1);
    assert.equal((await call('DELETE', `/${id}`, { cookie: mine })).status, 404);
    await call('DELETE', '', { cookie: mine });
    assert.equal((await call('GET', '', { cookie: theirs })).status, 200);
  });

  it('are not shown without the permission, to nobody, and to other websites', async () => {
    const cookie = await logIn('mine');
    assert.equal((await call('GET', '', {})).data.code, 'secret_missing');
    const forged = await call('DELETE', '', { cookie, origin: 'https://evil.example' });
    assert.deepEqual([forged.status, forged.data.code], [403, 'cross_site_refused']);
    const headers = { cookie, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'reader', scopes: ['read'] });
    const created = await fetch(`${app.origin}/api/account/keys`, { method: 'POST', headers, body });
    const authorization = `Bearer ${JSON.parse(await created.text()).data.value}`;
    for (const method of ['GET', 'DELETE'])
      assert.equal((await call(method, '', { authorization })).data.code, 'permission_missing');
  });

  it('store no more than 256 characters of what a browser says of itself', async () => {
    const cookie = await logIn('x'.repeat(5_000));
    assert.equal((await call('GET', '', { cookie })).data[0].userAgent.length, 256);
  });
});

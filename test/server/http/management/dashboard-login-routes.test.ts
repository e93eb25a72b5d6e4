import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LOGIN_CODE_TTL_MS, dashboardLink } from '../../../../server/accounts/dashboard-login.js';
import { SESSION_IDLE_MS } from '../../../../server/accounts/dashboard-login-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { managementApp, type ManagementApp } from '../../../support/management-app.js';

const DAY_MS = 24 * 3_600_000;

/** Resolves when it holds: the last use of a login is written after the response. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

/** Somebody with a link of the operator. */
const OWNER = {
  accountId: 'acme',
  memberName: null,
  rtmp: null,
  countries: false,
  permissions: ['figures', 'read', 'tokens', 'streams', 'recordings', 'account'],
};

describe('the dashboard login', () => {
  const cleanup = new Cleanup();
  let app: ManagementApp;
  let code: string;

  const begin = async (env?: Record<string, string>) => {
    app = await managementApp(cleanup, env);
    code = await app.dashboard.createCode('acme');
  };
  beforeEach(() => begin());
  afterEach(() => cleanup.run());

  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.origin}/api/dashboard/${path}`, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data } = JSON.parse(await response.text());
    return { status: response.status, data, setCookie: response.headers.get('set-cookie') ?? '' };
  };
  const login = (headers?: Record<string, string>) => call('POST', 'login', { code }, headers);
  /** The cookie of a login with this Host header, which `fetch` cannot set. */
  const cookieAt = async (host: string) => {
    const headers = { host, 'content-type': 'application/json' };
    const req = request(`${app.origin}/api/dashboard/login`, { method: 'POST', headers });
    req.end(JSON.stringify({ code }));
    const [response] = await once(req, 'response');
    response.resume();
    return String(response.headers['set-cookie']);
  };
  /** The status of a call with this Host header. */
  const statusAt = async (host: string, cookie: string) => {
    const req = request(`${app.origin}/api/dashboard/session`, { headers: { host, cookie } }).end();
    const [response] = await once(req, 'response');
    response.resume();
    return response.statusCode;
  };
  const cookieOf = (setCookie: string) => setCookie.split(';', 1)[0]!;

  it('exchanges a code for a cookie that scripts and other sites cannot read', async () => {
    const { status, data, setCookie } = await login();
    assert.deepEqual([status, data], [200, OWNER]);
    assert.match(setCookie, /^streamgate_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    assert.match(setCookie, /Expires=Thu, 31 Jan 2030 00:00:00 GMT/);
  });

  it('ends the login that the browser had before, and gives each login a session of its own', async () => {
    const before = cookieOf((await login()).setCookie);
    code = await app.dashboard.createCode('acme');
    const after = cookieOf((await login({ cookie: before })).setCookie);
    assert.notEqual(after, before);
    assert.equal((await call('GET', 'session', undefined, { cookie: before })).data.code, 'login_required');
    assert.deepEqual((await call('GET', 'session', undefined, { cookie: after })).data, OWNER);
    await login({ cookie: after });
    assert.deepEqual((await call('GET', 'session', undefined, { cookie: after })).data, OWNER);
  });

  it('keeps a login that is used every week for 30 days, and another for a week', async () => {
    const cookie = cookieOf((await login()).setCookie);
    const status = async () => (await call('GET', 'session', undefined, { cookie })).status;
    const use = async () => (await fetch(`${app.origin}/api/audit`, { headers: { cookie } })).status;
    for (let day = 0; day < 24; day += 6) {
      app.clock.now += 6 * DAY_MS;
      assert.equal(await use(), 200);
      await eventually(async () => (await app.dashboard.list('acme'))[0]?.lastSeenOn === app.clock.now);
    }
    app.clock.now += 6 * DAY_MS;
    assert.equal(await status(), 401);
    code = await app.dashboard.createCode('acme');
    const unused = cookieOf((await login()).setCookie);
    app.clock.now += SESSION_IDLE_MS;
    assert.equal((await call('GET', 'session', undefined, { cookie: unused })).status, 401);
  });

  it('returns the account until the logout', async () => {
    const cookie = cookieOf((await login()).setCookie);
    assert.deepEqual((await call('GET', 'session', undefined, { cookie })).data, OWNER);
    const logout = await call('POST', 'logout', undefined, { cookie });
    assert.deepEqual([logout.status, logout.data], [200, true]);
    assert.match(logout.setCookie, /^streamgate_session=; .*Expires=Thu, 01 Jan 1970/);
    const after = await call('GET', 'session', undefined, { cookie });
    assert.deepEqual([after.status, after.data.code], [401, 'login_required']);
  });

  it('refuses a request without a login', async () => {
    const { status, data } = await call('GET', 'session');
    assert.deepEqual([status, data.code], [401, 'login_required']);
  });

  it('accepts a code once, also if it is sent twice at the same time', async () => {
    const statuses = (await Promise.all([login(), login(), login()])).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 401, 401]);
    assert.equal((await login()).data.code, 'login_code_wrong');
  });

  it('refuses a code after a day', async () => {
    app.clock.now += LOGIN_CODE_TTL_MS;
    const { status, data, setCookie } = await login();
    assert.deepEqual([status, data.code, setCookie], [401, 'login_code_wrong', '']);
  });

  it('refuses invalid bodies', async () => {
    for (const body of [{}, { code: 1 }, { code: '' }, { code: 'x'.repeat(129) }, { code, more: 1 }]) {
      const { status, data } = await call('POST', 'login', body);
      assert.deepEqual([status, data.code], [400, 'invalid_request']);
    }
  });

  it('refuses logins and logouts by pages of other sites', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    assert.deepEqual((await login(headers)).data.code, 'cross_site_refused');
    assert.deepEqual((await call('POST', 'logout', undefined, headers)).data.code, 'cross_site_refused');
    assert.equal((await login()).status, 200);
  });

  it('marks the cookie Secure and binds it to the host if the public URL is https', async () => {
    for (const [host, isSecure] of [
      ['live.example.com', true],
      ['127.0.0.1', false],
    ] as const) {
      await begin({ PUBLIC_URL: 'https://live.example.com' });
      const cookie = await cookieAt(host);
      assert.equal(cookie.includes('; Secure'), isSecure, host);
      assert.match(cookie, isSecure ? /^__Host-streamgate_session=/ : /^streamgate_session=/);
    }
  });

  it('takes over HTTPS no cookie that a neighbouring host could have set', async () => {
    await begin({ PUBLIC_URL: 'https://live.example.com' });
    const host = 'live.example.com';
    const cookie = cookieOf(await cookieAt(host));
    assert.equal(await statusAt(host, cookie), 200);
    assert.equal(await statusAt(host, cookie.replace('__Host-', '')), 401);
    assert.equal(await statusAt(host, `streamgate_session=planted; ${cookie}`), 200);
  });

  it('puts the code into the fragment of the link, which browsers do not send', () => {
    const link = new URL(dashboardLink('https://live.example.com', 'secret-code'));
    assert.deepEqual([link.pathname, link.search, link.hash], ['/dashboard', '', '#code=secret-code']);
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { NAME_DELAY } from '../../../../server/accounts/passwords/attempt-delay.js';
import { codeAt } from '../../../support/authenticator-app.js';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';

type Json = ReturnType<typeof JSON.parse>;
const PASSWORD = '/api/account/password';
const SECRET_TEXT = 'correct horse battery';
const STEP_MS = 30_000;

describe('passwords over HTTP', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  /** The cookie of Anna, a member of the account main. */
  let anna: string;
  /** Of the authenticator app of Anna. */
  let secret: string;

  beforeEach(async () => {
    app = await streamServer(cleanup);
    anna = await memberLogin('Anna');
  });
  afterEach(() => cleanup.run());

  const call = async (
    method: string,
    path: string,
    { body, ...headers }: { body?: object; cookie?: string; authorization?: string; 'x-forwarded-for'?: string } = {},
  ) => {
    const response = await fetch(app.origin + path, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const data: Json = JSON.parse(await response.text()).data;
    return { status: response.status, data, headers: response.headers };
  };
  const refusalOf = ({ status, data }: { status: number; data: Json }) => [status, data.code];
  const operatorLogin = async (account = 'main'): Promise<string> => {
    const { session } = (await app.server.dashboard.login(await app.server.dashboard.createCode(account)))!;
    return `streamgate_session=${session}`;
  };
  const memberLogin = async (name: string, account = 'main'): Promise<string> => {
    const cookie = await operatorLogin(account);
    assert.equal((await call('POST', '/api/account/members/self', { cookie, body: { name } })).status, 200);
    return cookie;
  };
  const set = async (fields: object = {}, cookie = anna) => {
    const options = (await call('POST', `${PASSWORD}/options`, { cookie })).data;
    secret = options.secret;
    const code = codeAt(secret, app.clock.now);
    const body = { loginName: 'Anna', password: SECRET_TEXT, setup: options.setup, code, ...fields };
    return await call('PUT', PASSWORD, { cookie, body });
  };
  /** With the code of the next step, unless it is given. */
  const logIn = async (fields: object = {}) => {
    app.clock.now += STEP_MS;
    const code = codeAt(secret, app.clock.now);
    const body = { loginName: 'anna', password: SECRET_TEXT, code, ...fields };
    return await call('POST', '/api/dashboard/password', { body });
  };

  it('log their member in, with a code of their authenticator app', async () => {
    const { status, data } = await set();
    assert.deepEqual(
      [status, data],
      [200, { loginName: 'anna', createdOn: '2030-01-01T00:00:00.000Z', lastUsedOn: null }],
    );
    const login = await logIn({ loginName: 'ANNA' });
    assert.deepEqual([login.status, login.data.memberName], [200, 'Anna']);
    const cookie = login.headers.get('set-cookie')!.split(';', 1)[0]!;
    const state = await call('GET', PASSWORD, { cookie });
    assert.deepEqual(state.data.lastUsedOn, '2030-01-01T00:00:30.000Z');
    assert.equal((await call('GET', '/api/account/members', { cookie })).data[0].hasPassword, true);
    const { data: entries } = await call('GET', '/api/audit?itemsOnPage=2', { cookie });
    assert.deepEqual(
      entries.map(({ action }: Json) => action),
      ['dashboard_opened', 'password_set'],
    );
    assert.ok(!JSON.stringify(entries).includes(secret));
    assert.ok(![SECRET_TEXT, secret].some((text) => app.log.text.includes(text)));
  });

  it('refuse a wrong name, password or code alike', async () => {
    await set();
    const messages = new Set<string>();
    for (const wrong of [{ loginName: 'bert' }, { password: 'wrong horse battery' }, { code: '000000' }]) {
      const refused = await logIn(wrong);
      assert.deepEqual([...refusalOf(refused), refused.headers.get('set-cookie')], [401, 'password_wrong', null]);
      messages.add(refused.data.message);
    }
    assert.equal(messages.size, 1);
    assert.equal((await logIn()).status, 200);
  });

  it('take each code once, and one step around the present one', async () => {
    await set();
    const code = codeAt(secret, app.clock.now);
    assert.deepEqual(refusalOf(await logIn({ code })), [401, 'password_wrong']);
    assert.equal((await logIn()).status, 200);
    assert.deepEqual(refusalOf(await logIn({ code: codeAt(secret, app.clock.now) })), [401, 'password_wrong']);
    app.clock.now += 10 * STEP_MS;
    assert.deepEqual(refusalOf(await logIn({ code: codeAt(secret, app.clock.now - STEP_MS) })), [
      401,
      'password_wrong',
    ]);
    assert.equal((await logIn({ code: codeAt(secret, app.clock.now + 2 * STEP_MS) })).status, 200);
  });

  it('slow down failed attempts by name, also of unknown names, and say for how long', async () => {
    await set();
    for (const loginName of ['anna', 'nobody']) {
      const attempt = (fields: object = {}) => {
        const body = { loginName, password: 'wrong horse battery', code: '000000', ...fields };
        return call('POST', '/api/dashboard/password', { body });
      };
      for (let count = 0; count < NAME_DELAY.free; count += 1) assert.equal((await attempt()).status, 401);
      const slowed = await attempt({ password: SECRET_TEXT, code: codeAt(secret, app.clock.now) });
      assert.deepEqual([...refusalOf(slowed), slowed.headers.get('retry-after')], [429, 'too_many_attempts', '1']);
      app.clock.now += 1_000;
      assert.equal((await attempt()).status, 401);
      assert.equal((await attempt()).headers.get('retry-after'), '2');
    }
    // Another way in is not slowed.
    const [{ id }] = (await call('GET', '/api/account/members', { cookie: anna })).data;
    const { link } = (await call('POST', `/api/account/members/${id}/link`, { cookie: anna })).data;
    const code = new URL(link).hash.replace('#code=', '');
    assert.equal((await call('POST', '/api/dashboard/login', { body: { code } })).status, 200);
    assert.equal((await logIn()).status, 200);
  });

  it('log their member in from a network that they logged in from before, whatever others guess', async () => {
    await app.server.close();
    app = await streamServer(cleanup, { TRUSTED_PROXIES: '127.0.0.1' });
    anna = await memberLogin('Anna');
    await set();
    const logInFrom = (address: string, fields: object = {}) => {
      const body = { loginName: 'anna', password: SECRET_TEXT, code: codeAt(secret, app.clock.now), ...fields };
      return call('POST', '/api/dashboard/password', { body, 'x-forwarded-for': address });
    };
    const guess = async (address: string) => (await logInFrom(address, { code: '000000' })).status;
    app.clock.now += STEP_MS;
    assert.equal((await logInFrom('192.0.2.10')).status, 200);
    app.clock.now += STEP_MS;
    assert.equal((await logInFrom('2001:db8:1:2::3')).status, 200);
    for (let count = 0; count < NAME_DELAY.free; count += 1) assert.equal(await guess(`10.0.${count}.1`), 401);
    app.clock.now += STEP_MS;
    for (let count = 0; count < 12; count += 1) {
      await guess(`10.1.${count}.1`);
      app.clock.now += 2 ** count * 1_000;
    }
    await guess('10.2.0.1');
    assert.equal((await logInFrom('198.51.100.1')).status, 429, 'from a network that nobody logged in from');
    assert.equal((await logInFrom('192.0.2.77')).status, 200, 'from the network of an earlier login');
    app.clock.now += STEP_MS;
    assert.equal((await logInFrom('2001:db8:1:2:4::5')).status, 200, 'from the network of an earlier login, IPv6');
    // Guesses from there are slowed by themselves.
    for (let count = 0; count < NAME_DELAY.free; count += 1) assert.equal(await guess('192.0.2.99'), 401);
    assert.equal(await guess('192.0.2.98'), 429);
    app.clock.now += STEP_MS;
    assert.equal((await logInFrom('2001:db8:1:2::7')).status, 200);
  });

  it('are set with a working authenticator app only', async () => {
    assert.deepEqual(refusalOf(await set({ code: '000000' })), [400, 'setup_wrong']);
    assert.deepEqual(refusalOf(await set({ setup: 'x' })), [400, 'setup_wrong']);
    await app.server.accounts.create('other');
    const cookie = await memberLogin('Bert', 'other');
    const { setup } = (await call('POST', `${PASSWORD}/options`, { cookie })).data;
    assert.deepEqual(refusalOf(await set({ setup })), [400, 'setup_wrong']);
    const options = (await call('POST', `${PASSWORD}/options`, { cookie: anna })).data;
    app.clock.now += 600_000;
    const late = { setup: options.setup, code: codeAt(options.secret, app.clock.now) };
    assert.deepEqual(refusalOf(await set(late)), [400, 'setup_wrong']);
    assert.equal((await call('GET', PASSWORD, { cookie: anna })).data.loginName, null);
    assert.match(options.uri, /^otpauth:\/\/totp\/Streamgate:main\?issuer=Streamgate&secret=[A-Z2-7]{32}&/);
  });

  it('have 12 to 128 characters and are not the login name', async () => {
    assert.deepEqual(refusalOf(await set({ password: 'short horse' })), [400, 'invalid_request']);
    assert.deepEqual(refusalOf(await set({ password: 'x'.repeat(129) })), [400, 'invalid_request']);
    assert.deepEqual(refusalOf(await set({ loginName: 'anna example' })), [400, 'invalid_request']);
    const same = { loginName: 'Anna.Example@example.com', password: 'anna.example@EXAMPLE.com' };
    assert.deepEqual(refusalOf(await set(same)), [400, 'password_unfit']);
    assert.equal((await set({ password: 'x'.repeat(128) })).status, 200);
  });

  it('have a login name that no other member of the server has', async () => {
    await set();
    await app.server.accounts.create('other');
    const bert = await memberLogin('Bert', 'other');
    assert.deepEqual(refusalOf(await set({ loginName: 'aNNa' }, bert)), [409, 'login_name_taken']);
    assert.equal((await set({ loginName: 'bert' }, bert)).status, 200);
  });

  it('are removed by their member, or with the member', async () => {
    await set();
    assert.equal((await call('DELETE', PASSWORD, { cookie: anna })).data, true);
    assert.deepEqual(refusalOf(await call('DELETE', PASSWORD, { cookie: anna })), [404, 'password_not_found']);
    assert.deepEqual(refusalOf(await logIn()), [401, 'password_wrong']);
  });

  it('are only for members at the dashboard', async () => {
    const authorization = `Bearer ${await app.server.secrets.create('main')}`;
    for (const credentials of [{ authorization }, { cookie: await operatorLogin() }]) {
      for (const method of ['GET', 'DELETE']) {
        assert.deepEqual(refusalOf(await call(method, PASSWORD, credentials)), [403, 'member_required']);
      }
    }
    assert.deepEqual(refusalOf(await call('POST', `${PASSWORD}/options`, { authorization })), [403, 'person_required']);
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { endpoints } from '../../../../server/http/endpoints/endpoints.js';
import { permissionsOfRole } from '../../../../server/accounts/permission.js';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';

type Json = ReturnType<typeof JSON.parse>;
const MEMBERS = '/api/account/members';

describe('the members of an account over HTTP', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  /** Of somebody with a link of the operator. */
  let owner: string;

  beforeEach(async () => {
    app = await streamServer(cleanup);
    owner = await logIn(await app.server.dashboard.createCode('main'));
  });
  afterEach(() => cleanup.run());

  const call = async (
    method: string,
    path: string,
    { body, ...headers }: { body?: object; cookie?: string; authorization?: string; origin?: string },
  ): Promise<{ status: number; data: Json; setCookie: string }> => {
    const response = await fetch(app.origin + path, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data } = JSON.parse(await response.text());
    return { status: response.status, data, setCookie: response.headers.get('set-cookie') ?? '' };
  };
  /** @returns the cookie */
  const logIn = async (code: string): Promise<string> =>
    (await call('POST', '/api/dashboard/login', { body: { code } })).setCookie.split(';', 1)[0]!;
  const invite = async (fields: object = { name: 'Anna', role: 'manager' }): Promise<Json> =>
    (await call('POST', MEMBERS, { cookie: owner, body: fields })).data;
  const codeOf = ({ link }: Json): string => new URL(link).hash.replace('#code=', '');

  it('are invited by a link that logs them in once, by name and role', async () => {
    const invitation = await invite();
    assert.match(invitation.id, /^mem_[0-9a-f]{12}$/);
    assert.equal(invitation.linkExpiresOn, '2030-01-08T00:00:00.000Z');
    assert.equal(new URL(invitation.link).origin, app.origin);
    const cookie = await logIn(codeOf(invitation));
    const { data } = await call('GET', '/api/dashboard/session', { cookie });
    assert.deepEqual(data, {
      accountId: 'main',
      memberName: 'Anna',
      rtmp: null,
      countries: false,
      permissions: ['figures', 'read', 'tokens', 'streams', 'recordings'],
    });
    const again = await call('POST', '/api/dashboard/login', { body: { code: codeOf(invitation) } });
    assert.deepEqual([again.status, again.data.code], [401, 'login_code_wrong']);
    const { data: members } = await call('GET', MEMBERS, { cookie: owner });
    const { id, name, role, createdOn } = invitation;
    assert.deepEqual(members, [
      {
        id,
        name,
        role,
        createdOn,
        lastSeenOn: '2030-01-01T00:00:00.000Z',
        passkeys: 0,
        hasPassword: false,
        current: false,
      },
    ]);
  });

  it('are refused what their role does not permit, for each endpoint', async () => {
    for (const role of ['owner', 'manager', 'figures'] as const) {
      const cookie = await logIn(codeOf(await invite({ name: role, role })));
      const permitted = permissionsOfRole(role);
      for (const { method, path, access, permission } of endpoints) {
        if (access !== 'account' || permission === undefined) continue;
        const filled = path.replaceAll(/\{\w+\}/g, '1');
        // Such calls would change what the other calls need.
        if (method !== 'get' && permitted.has(permission)) continue;
        const { status, data } = await call(method.toUpperCase(), filled, { cookie });
        const isRefused = status === 403 && data.code === 'permission_missing';
        assert.equal(isRefused, !permitted.has(permission), `${role}: ${method} ${path} is ${status}`);
      }
    }
  });

  it('lose what a lower role does not permit at their next call, and everything when removed', async () => {
    const { id, ...invitation } = await invite();
    const cookie = await logIn(codeOf(invitation));
    const list = () => call('GET', '/api/publish_token/list', { cookie });
    assert.equal((await list()).status, 200);
    const changed = await call('PUT', `${MEMBERS}/${id}`, { cookie: owner, body: { role: 'figures' } });
    assert.deepEqual([changed.status, changed.data.role], [200, 'figures']);
    assert.deepEqual([(await list()).status, (await list()).data.code], [403, 'permission_missing']);
    assert.equal((await call('DELETE', `${MEMBERS}/${id}`, { cookie: owner })).data, true);
    assert.equal((await list()).data.code, 'login_required');
  });

  it('get another link, and the one before stops working', async () => {
    const first = await invite();
    const { data: second } = await call('POST', `${MEMBERS}/${first.id}/link`, { cookie: owner });
    const old = await call('POST', '/api/dashboard/login', { body: { code: codeOf(first) } });
    assert.equal(old.status, 401);
    assert.notEqual(await logIn(codeOf(second)), '');
  });

  it('are named by the audit log', async () => {
    const cookie = await logIn(codeOf(await invite({ name: 'Berta', role: 'owner' })));
    const body = { label: 'a', streams: [{ streamName: 'main' }] };
    await call('POST', '/api/publish_token', { cookie, body });
    const { data } = await call('GET', '/api/audit?action=token_created', { cookie });
    assert.deepEqual([data[0].actor.by, data[0].actor.name], ['dashboard', 'Berta']);
    const { data: added } = await call('GET', '/api/audit?action=member_added', { cookie });
    assert.deepEqual([added[0].after, 'name' in added[0].actor], [{ name: 'Berta', role: 'owner' }, false]);
  });

  it('see which of them they are', async () => {
    const cookie = await logIn(codeOf(await invite({ name: 'Berta', role: 'owner' })));
    await invite();
    const { data } = await call('GET', MEMBERS, { cookie });
    assert.deepEqual(data.map(({ name, current }: Json) => [name, current]).toSorted(), [
      ['Anna', false],
      ['Berta', true],
    ]);
  });

  it('are changed by people only', async () => {
    const { id } = await invite();
    const authorization = `Bearer ${await app.server.secrets.create('main')}`;
    assert.equal((await call('GET', MEMBERS, { authorization })).status, 200);
    for (const [method, path, body] of [
      ['POST', MEMBERS, { name: 'x', role: 'owner' }],
      ['POST', `${MEMBERS}/${id}/link`, undefined],
      ['PUT', `${MEMBERS}/${id}`, { role: 'owner' }],
      ['DELETE', `${MEMBERS}/${id}`, undefined],
    ] as const) {
      const { status, data } = await call(method, path, { authorization, ...(body && { body }) });
      assert.deepEqual([status, data.code], [403, 'person_required'], `${method} ${path}`);
    }
  });

  it('are those of the account alone, and are not changed by other websites', async () => {
    const { id } = await invite();
    await app.server.accounts.create('other');
    const stranger = await logIn(await app.server.dashboard.createCode('other'));
    assert.deepEqual((await call('GET', MEMBERS, { cookie: stranger })).data, []);
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { role: 'figures' } : undefined;
      const { status, data } = await call(method, `${MEMBERS}/${id}`, { cookie: stranger, ...(body && { body }) });
      assert.deepEqual([status, data.code], [404, 'member_not_found']);
    }
    const forged = await call('DELETE', `${MEMBERS}/${id}`, { cookie: owner, origin: 'https://evil.example' });
    assert.deepEqual([forged.status, forged.data.code], [403, 'cross_site_refused']);
  });

  for (const fields of [
    {},
    { name: '', role: 'owner' },
    { name: 'x'.repeat(129), role: 'owner' },
    { name: 'x', role: 'god' },
    { name: 'x', role: 'owner', id: 'mem_000000000000' },
  ]) {
    it(`are refused with ${JSON.stringify(fields).slice(0, 40)}`, async () => {
      const { status, data } = await call('POST', MEMBERS, { cookie: owner, body: fields });
      assert.deepEqual([status, data.code], [400, 'invalid_request']);
    });
  }

  it('may have names in any script, with HTML and emoji', async () => {
    const name = '<b>أنّا</b> 👩‍💻';
    assert.equal((await invite({ name, role: 'figures' })).name, name);
  });
});

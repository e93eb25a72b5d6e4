import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import { SecurityState, type SecurityView } from '../../../../src/pages/dashboard/security/security-state.js';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';

describe('the state of the security page, with a real server', () => {
  const cleanup = new Cleanup();
  let server: TestServer;
  let views: SecurityView[];
  /** Whether the server is out of reach after the next change. */
  let goesAway: boolean;

  beforeEach(async () => {
    server = await streamServer(cleanup);
    views = [];
    goesAway = false;
  });
  afterEach(() => cleanup.run());

  const stateOf = (credential: { secret: string } | { session: string }) => {
    let isAway = false;
    const requests: typeof fetch = (input, init) => {
      if (isAway) return Promise.reject(new TypeError('fetch failed'));
      isAway = goesAway && init?.method !== 'GET';
      const headers = new Headers(init?.headers);
      if ('session' in credential) headers.set('cookie', `streamgate_session=${credential.session}`);
      return fetch(input, { ...init, headers });
    };
    const secret = 'secret' in credential ? credential.secret : undefined;
    return new SecurityState(new ManagementClient({ endpoint: server.origin, secret, fetch: requests }), (view) =>
      views.push(view),
    );
  };
  const loggedIn = async () => {
    const { dashboard } = server.server;
    return stateOf({ session: (await dashboard.login(await dashboard.createCode('main')))!.session });
  };
  const nextView = async <Name extends SecurityView['name']>(
    name: Name,
    holds: (view: Extract<SecurityView, { name: Name }>) => boolean = () => true,
  ): Promise<Extract<SecurityView, { name: Name }>> => {
    for (;;) {
      const view = views.at(-1);
      if (view?.name === name && holds(view as Extract<SecurityView, { name: Name }>)) {
        return view as Extract<SecurityView, { name: Name }>;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  it('shows an account without a secret and without keys', async () => {
    await (await loggedIn()).load();
    const { secret, keys } = await nextView('ready');
    assert.deepEqual([views[0]?.name, secret.exists, keys.total], ['loading', false, 0]);
  });

  it('invites a member, changes the role, and removes them', async () => {
    const state = await loggedIn();
    await state.load();
    const link = await state.inviteMember({ name: 'Anna', role: 'manager' });
    const { members } = await nextView('ready', (view) => view.members.length === 1);
    assert.notEqual(await state.inviteMemberAgain(members[0]!.id), link);
    await state.changeRole(members[0]!.id, 'figures');
    assert.equal((await nextView('ready')).members[0]?.role, 'figures');
    await state.removeMember(members[0]!.id);
    assert.deepEqual((await nextView('ready')).members, []);
  });

  it('logs other browsers out, one or all', async () => {
    const state = await loggedIn();
    for (let count = 0; count < 3; count += 1) await loggedIn();
    await state.load();
    const { logins } = await nextView('ready');
    assert.equal(logins.length, 4);
    await state.endLogin(logins.find(({ current }) => !current)!.id);
    assert.equal((await nextView('ready')).logins.length, 3);
    await state.endOtherLogins();
    assert.deepEqual(
      (await nextView('ready')).logins.map(({ current }) => current),
      [true],
    );
  });

  it('creates the secret, then replaces it, then deletes it', async () => {
    const state = await loggedIn();
    await state.load();
    const first = await state.renewSecret();
    const { secret } = await nextView('ready', ({ secret: { exists } }) => exists);
    const second = await state.renewSecret();
    assert.notEqual(first, second);
    await nextView('ready', (view) => view.secret.id !== secret.id);
    await state.deleteSecret();
    assert.equal((await nextView('ready')).secret.exists, false);
  });

  it('returns the value of a new key although the page cannot be read again', async () => {
    const state = await loggedIn();
    await state.load();
    goesAway = true;
    assert.match(await state.createKey({ name: 'nightly', scopes: ['read'], expires: null }), /^sgk/);
    await nextView('unreachable');
  });

  it('rotates and revokes a key', async () => {
    const state = await loggedIn();
    const value = await state.createKey({ name: 'nightly', scopes: ['read'], expires: null });
    const { keys } = await nextView('ready', (view) => view.keys.total === 1);
    const { id } = keys.keys[0]!;
    assert.notEqual(await state.rotateKey(id, 3_600), value);
    await nextView('ready', (view) => view.keys.keys[0]!.oldValueExpiresOn !== null);
    await state.revokeKey(id);
    assert.notEqual((await nextView('ready')).keys.keys[0]!.revokedOn, null);
  });

  it('says so when the caller has no permission', async () => {
    const reader = await (await loggedIn()).createKey({ name: 'reader', scopes: ['read'], expires: null });
    await nextView('ready');
    await stateOf({ secret: reader }).load();
    await nextView('no-permission');
  });
});

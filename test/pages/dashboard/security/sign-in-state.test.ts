import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import { LoginState, type LoginView } from '../../../../src/pages/dashboard/login-state.js';
import type { PageView } from '../../../../src/pages/dashboard/page-view.js';
import { PasskeyError } from '../../../../src/pages/dashboard/passkey.js';
import { SignInState, type SignInContent } from '../../../../src/pages/dashboard/security/sign-in-state.js';
import { Cleanup } from '../../../support/cleanup.js';
import { SoftwareAuthenticator } from '../../../support/software-authenticator.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';

describe('the ways to log in, with a real server', () => {
  const cleanup = new Cleanup();
  let server: TestServer;
  let client: ManagementClient;
  let authenticator: SoftwareAuthenticator;
  let isAway: boolean;

  beforeEach(async () => {
    server = await streamServer(cleanup);
    authenticator = new SoftwareAuthenticator();
    isAway = false;
    const { dashboard } = server.server;
    let cookie = `streamgate_session=${(await dashboard.login(await dashboard.createCode('main')))!.session}`;
    client = new ManagementClient({
      endpoint: server.origin,
      fetch: async (input, init) => {
        if (isAway) throw new TypeError('fetch failed');
        const response = await fetch(input, { ...init, headers: { ...init?.headers, cookie } });
        cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? cookie;
        return response;
      },
    });
  });
  afterEach(() => cleanup.run());

  const waysOf = (isMember: boolean) => {
    const views: PageView<SignInContent>[] = [];
    return { state: new SignInState(client, (view) => views.push(view), isMember), views };
  };
  const make = async (options: Parameters<SoftwareAuthenticator['create']>[0]) =>
    authenticator.create(options, { origin: server.origin });
  const namesIn = (view: PageView<SignInContent> | undefined) =>
    view?.name === 'ready' ? view.passkeys.map(({ name }) => name) : view?.name;
  const fields = { name: 'Phone', memberName: 'Anna' };

  it('are none at first for somebody with a link of the operator, who becomes a member with a passkey', async () => {
    const { state, views } = waysOf(false);
    await state.load();
    assert.deepEqual(namesIn(views.at(-1)), []);
    await state.add(fields, make);
    assert.deepEqual(namesIn(views.at(-1)), ['Phone']);
    const [passkey] = await client.passkeys.list();
    await state.rename(passkey!.id, 'Key');
    assert.deepEqual(namesIn(views.at(-1)), ['Key']);
    await state.remove(passkey!.id);
    assert.deepEqual(namesIn(views.at(-1)), []);
    assert.equal((await client.session()).memberName, 'Anna');
  });

  it('can be tried again after the person has cancelled', async () => {
    const { state } = waysOf(false);
    const cancel = async () => Promise.reject(new PasskeyError('passkeyCancelled'));
    await assert.rejects(state.add(fields, cancel), { fault: 'passkeyCancelled' });
    await state.add(fields, make);
    assert.deepEqual(
      (await client.members.list()).map(({ name, passkeys }) => [name, passkeys]),
      [['Anna', 1]],
    );
  });

  it('log the person in, or say why not', async () => {
    await waysOf(false).state.add(fields, make);
    const views: LoginView[] = [];
    const login = new LoginState(client, (view) => views.push(view));
    const use = async (options: Parameters<SoftwareAuthenticator['get']>[0]) =>
      authenticator.get(options, { origin: server.origin });
    const notice = (view: LoginView | undefined) => (view?.name === 'logged-out' ? view.notice : view?.name);
    await login.leave();
    await login.enterByPasskey(use);
    const { accountId, memberName, permissions, rtmp, countries } = await client.session();
    assert.deepEqual(views.at(-1), { name: 'logged-in', accountId, memberName, permissions, rtmp, countries });
    await login.enterByPasskey(async () => Promise.reject(new PasskeyError('passkeyCancelled')));
    assert.equal(notice(views.at(-1)), 'passkeyCancelled');
    await login.enterByPasskey(async (options) => authenticator.get(options, { origin: 'https://evil.example' }));
    assert.equal(notice(views.at(-1)), 'passkeyFailed');
    const [passkey] = await client.passkeys.list();
    await client.passkeys.remove(passkey!.id);
    await login.enterByPasskey(use);
    assert.equal(notice(views.at(-1)), 'passkeyUnknown');
    for (let count = 0; count < 10; count += 1) await login.enterByPasskey(use);
    assert.equal(notice(views.at(-1)), 'tooManyAttempts');
    isAway = true;
    await login.enterByPasskey(use);
    assert.equal(notice(views.at(-1)), 'unreachable');
    await login.refresh();
    assert.equal(notice(views.at(-1)), 'unreachable');
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { SESSION_TTL_MS } from '../../../../server/accounts/dashboard-login.js';
import { Cleanup } from '../../../support/cleanup.js';
import { ask, managementApp, type ManagementApp } from '../../../support/management-app.js';

const LIST = '/api/publish_token/list';

describe('management access', () => {
  const cleanup = new Cleanup();
  let app: ManagementApp;

  beforeEach(async () => {
    app = await managementApp(cleanup);
  });
  afterEach(() => cleanup.run());

  /** Requests the list with these headers only. */
  const list = async (headers: Record<string, string>) => {
    const response = await fetch(app.origin + LIST, { headers });
    const { data } = JSON.parse(await response.text());
    return [response.status, data.code];
  };
  const cookie = async () => {
    const started = await app.dashboard.login(await app.dashboard.createCode('acme'));
    return `other=1; streamgate_session=${started?.session}`;
  };

  it('accepts the current secret', async () => {
    assert.deepEqual(await list({ authorization: `Bearer ${app.secret}` }), [200, undefined]);
    assert.deepEqual(await list({ authorization: `bearer  ${app.secret}` }), [200, undefined]);
  });

  it('refuses a request without a secret', async () => {
    for (const headers of [{}, { authorization: `Basic ${app.secret}` }, { authorization: 'Bearer' }]) {
      assert.deepEqual(await list(headers as Record<string, string>), [401, 'secret_missing']);
    }
  });

  it('refuses a wrong secret', async () => {
    for (const secret of ['x', `${app.secret}x`, app.secret.slice(0, -1), app.secret.toUpperCase()]) {
      assert.deepEqual(await list({ authorization: `Bearer ${secret}` }), [401, 'secret_wrong']);
    }
  });

  it('refuses the old secret as soon as it is replaced', async () => {
    const fresh = await app.secrets.refresh('acme');
    assert.deepEqual(await list({ authorization: `Bearer ${app.secret}` }), [401, 'secret_wrong']);
    assert.deepEqual(await list({ authorization: `Bearer ${fresh}` }), [200, undefined]);
  });

  it('refuses a deleted secret', async () => {
    await app.secrets.delete('acme');
    assert.deepEqual(await list({ authorization: `Bearer ${app.secret}` }), [401, 'secret_wrong']);
  });

  it('accepts the cookie of a dashboard login', async () => {
    assert.deepEqual(await list({ cookie: await cookie() }), [200, undefined]);
    assert.deepEqual(await list({ cookie: await cookie(), 'sec-fetch-site': 'same-origin' }), [200, undefined]);
  });

  it('refuses an unknown session cookie', async () => {
    assert.deepEqual(await list({ cookie: 'streamgate_session=x' }), [401, 'login_required']);
  });

  it('refuses an expired session cookie', async () => {
    const headers = { cookie: await cookie() };
    app.clock.now += SESSION_TTL_MS;
    assert.deepEqual(await list(headers), [401, 'login_required']);
  });

  it('refuses a session cookie on a request of another site', async () => {
    const headers = { cookie: await cookie() };
    const refused = [403, 'cross_site_refused'];
    assert.deepEqual(await list({ ...headers, 'sec-fetch-site': 'cross-site' }), refused);
    assert.deepEqual(await list({ ...headers, 'sec-fetch-site': 'same-site' }), refused);
    assert.deepEqual(await list({ ...headers, origin: 'http://evil.example' }), refused);
    assert.deepEqual(await list({ ...headers, origin: 'null' }), refused);
    assert.deepEqual(await list({ ...headers, origin: app.origin }), [200, undefined]);
  });

  it('ignores the cookie if the secret is wrong', async () => {
    assert.deepEqual(await list({ cookie: await cookie(), authorization: 'Bearer x' }), [401, 'secret_wrong']);
  });

  it('answers /healthz and unknown paths in JSON', async () => {
    const health = await ask(app, 'GET', '/healthz');
    assert.deepEqual([health.status, health.body.status], [200, 'success']);
    const nowhere = await ask(app, 'GET', '/nowhere');
    assert.deepEqual([nowhere.status, nowhere.body.data.code], [404, 'route_not_found']);
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { ask, managementApp, type ManagementApp } from '../../../support/management-app.js';

const SECRET = '/api/account/secret';
const NONE = { exists: false, id: null, createdOn: null, lastUsedOn: null, lastUsedFrom: null };

describe(SECRET, () => {
  const cleanup = new Cleanup();
  let app: ManagementApp;
  let session: string;

  beforeEach(async () => {
    app = await managementApp(cleanup);
    session = (await app.dashboard.login(await app.dashboard.createCode('acme')))!.session;
  });
  afterEach(() => cleanup.run());

  /** A request of a person at the dashboard. */
  const person = async (method: string, path = SECRET, headers: Record<string, string> = {}) => {
    const cookie = `streamgate_session=${session}`;
    const response = await fetch(app.origin + path, { method, headers: { cookie, ...headers } });
    const { data } = JSON.parse(await response.text());
    return { status: response.status, data };
  };
  const statusOf = async (secret: string) =>
    (await ask(app, 'GET', SECRET, undefined, { authorization: `Bearer ${secret}` })).status;

  it('replaces the secret for a person, and refuses the old one at once', async () => {
    const { status, data } = await person('POST', `${SECRET}/refresh`);
    assert.equal(status, 200);
    assert.deepEqual([await statusOf(app.secret), await statusOf(data.secret)], [401, 200]);
    assert.equal((await person('GET')).data.id, data.id);
  });

  it('deletes the secret, and then shows that there is none', async () => {
    assert.deepEqual(await person('DELETE'), { status: 200, data: true });
    assert.equal(await statusOf(app.secret), 401);
    assert.deepEqual((await person('GET')).data, NONE);
    for (const [method, path] of [
      ['DELETE', SECRET],
      ['POST', `${SECRET}/refresh`],
    ] as const) {
      const { status, data } = await person(method, path);
      assert.deepEqual([status, data.code], [404, 'secret_not_found']);
    }
  });

  it('creates a secret if there is none, and names the person in the audit log', async () => {
    const refused = await person('POST');
    assert.deepEqual([refused.status, refused.data.code], [409, 'secret_exists']);
    await person('DELETE');
    const { data } = await person('POST');
    assert.equal(await statusOf(data.secret), 200);
    const { data: entries } = await person('GET', '/api/audit?action=secret_created&itemsOnPage=1');
    assert.deepEqual(entries[0].actor, { by: 'dashboard', id: app.dashboard.idOf(session) });
    assert.doesNotMatch(JSON.stringify(entries) + app.log.text, new RegExp(data.secret));
  });

  it('shows a last use, and forgets it with the secret', async () => {
    assert.equal((await person('GET')).data.lastUsedOn, null);
    await statusOf(app.secret);
    let state = (await person('GET')).data;
    while (state.lastUsedOn === null) state = (await person('GET')).data;
    assert.deepEqual([Date.parse(state.lastUsedOn), state.lastUsedFrom], [app.clock.now, '127.0.0.1']);
    await person('POST', `${SECRET}/refresh`);
    assert.equal((await person('GET')).data.lastUsedOn, null);
  });

  it('can be read, and not changed, with the secret or a key', async () => {
    const key = await ask(app, 'POST', '/api/account/keys', { name: 'a', scopes: ['everything'] });
    for (const value of [app.secret, key.body.data.value]) {
      const headers = { authorization: `Bearer ${value}` };
      assert.equal((await ask(app, 'GET', SECRET, undefined, headers)).body.data.exists, true);
      for (const [method, path] of [
        ['POST', SECRET],
        ['POST', `${SECRET}/refresh`],
        ['DELETE', SECRET],
      ] as const) {
        const { status, body } = await ask(app, method, path, undefined, headers);
        assert.deepEqual([status, body.data.code], [403, 'person_required']);
      }
    }
    assert.equal(await statusOf(app.secret), 200);
  });

  it('refuses a key without the permission', async () => {
    const key = await ask(app, 'POST', '/api/account/keys', { name: 'a', scopes: ['read'] });
    assert.equal(await statusOf(key.body.data.value), 403);
  });

  it('refuses a change from a page of another site', async () => {
    const { status, data } = await person('DELETE', SECRET, { origin: 'http://evil.example' });
    assert.deepEqual([status, data.code], [403, 'cross_site_refused']);
    assert.equal(await statusOf(app.secret), 200);
  });

  it('leaves keys valid when the secret is deleted', async () => {
    const { body } = await ask(app, 'POST', '/api/account/keys', { name: 'a', scopes: ['everything'] });
    await person('DELETE');
    assert.equal(await statusOf(body.data.value), 200);
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { ask, managementApp, type ManagementApp } from '../../../support/management-app.js';
import { dataFolder } from '../../../support/data-folder.js';
import { runStreamgate } from '../../../support/run-streamgate.js';

const KEYS = '/api/account/keys';
const LIST = '/api/publish_token/list';
const DAY_MS = 86_400_000;

describe('/api/account/keys', () => {
  const cleanup = new Cleanup();
  let app: ManagementApp;
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await dataFolder(cleanup);
    app = await managementApp(cleanup, { DATA_DIR: dataDir });
  });
  afterEach(() => cleanup.run());

  const create = async (fields: object = {}) => {
    const { status, body } = await ask(app, 'POST', KEYS, { name: 'builds', scopes: ['read'], ...fields });
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  /** The status and code of a request with a value. */
  const as = async (value: string, method = 'GET', path = LIST, body?: object) => {
    const answer = await ask(app, method, path, body, { authorization: `Bearer ${value}` });
    return [answer.status, answer.body.data.code];
  };

  it('creates a key whose value is shown once and opens the account', async () => {
    const { value, ...key } = await create();
    assert.match(value, /^sgk_[\w-]{43}$/);
    assert.match(key.id, /^key_[0-9a-f]{12}$/);
    assert.deepEqual(await as(value), [200, undefined]);
    const list = await ask(app, 'GET', KEYS);
    assert.doesNotMatch(JSON.stringify(list.body) + app.log.text, new RegExp(value));
    assert.deepEqual([list.body.total, list.body.data[0].name], [1, 'builds']);
  });

  it('permits what the scopes say, and nothing else', async () => {
    const { value } = await create({ scopes: ['streams'] });
    assert.deepEqual(await as(value, 'POST', '/api/stream/stop/all'), [200, undefined]);
    assert.deepEqual(await as(value), [403, 'permission_missing']);
    assert.deepEqual(await as(value, 'POST', KEYS, { name: 'a', scopes: ['read'] }), [403, 'permission_missing']);
  });

  it('applies a change of scopes to the next call', async () => {
    const { value, id } = await create();
    const { body } = await ask(app, 'PUT', `${KEYS}/${id}`, { scopes: ['recordings'], name: 'b' });
    assert.deepEqual([body.data.scopes, body.data.name], [['recordings'], 'b']);
    assert.deepEqual(await as(value), [403, 'permission_missing']);
  });

  it('lets a key with every scope make other keys, and names it in the audit log', async () => {
    const { value, id } = await create({ scopes: ['everything'] });
    assert.deepEqual(await as(value, 'POST', KEYS, { name: 'a', scopes: ['everything'] }), [200, undefined]);
    const { body } = await ask(app, 'GET', '/api/audit?action=key_created&itemsOnPage=1');
    assert.deepEqual([body.data[0].actor, body.data[0].before], [{ by: 'key', id, name: 'builds' }, null]);
  });

  it('keeps both values valid after a rotation, until the time of the old one', async () => {
    const { value, id } = await create();
    const { body } = await ask(app, 'POST', `${KEYS}/${id}/rotate`, { oldValueExpires: 60 });
    const fresh = body.data.value;
    assert.deepEqual(
      [await as(value), await as(fresh)],
      [
        [200, undefined],
        [200, undefined],
      ],
    );
    app.clock.now += 60_000;
    assert.deepEqual(
      [await as(value), await as(fresh)],
      [
        [401, 'key_expired'],
        [200, undefined],
      ],
    );
  });

  it('keeps the old value for a day unless told otherwise, and no longer than the next rotation', async () => {
    const { value: first, id } = await create();
    const rotate = async () => (await ask(app, 'POST', `${KEYS}/${id}/rotate`)).body.data;
    const { value: second, oldValueExpiresOn } = await rotate();
    assert.equal(Date.parse(oldValueExpiresOn), app.clock.now + DAY_MS);
    const { value: third } = await rotate();
    assert.deepEqual(
      [await as(first), await as(second), await as(third)].map(([status]) => status),
      [401, 200, 200],
    );
    const { value: fourth } = (await ask(app, 'POST', `${KEYS}/${id}/rotate`, { oldValueExpires: 0 })).body.data;
    assert.deepEqual(
      [await as(third), await as(fourth)].map(([status]) => status),
      [401, 200],
    );
  });

  it('refuses an expired key until its expiry is changed', async () => {
    const { value, id } = await create({ expires: 10 });
    app.clock.now += 10_000;
    assert.deepEqual(await as(value), [401, 'key_expired']);
    await ask(app, 'PUT', `${KEYS}/${id}`, { expires: null });
    assert.deepEqual(await as(value), [200, undefined]);
  });

  it('refuses a revoked key at once and for good', async () => {
    const { value, id } = await create();
    assert.deepEqual(await as(value), [200, undefined]);
    const { revokedOn } = (await ask(app, 'DELETE', `${KEYS}/${id}`)).body.data;
    assert.deepEqual(await as(value), [401, 'key_revoked']);
    app.clock.now += 1_000;
    assert.equal((await ask(app, 'DELETE', `${KEYS}/${id}`)).body.data.revokedOn, revokedOn);
    for (const [method, path, body] of [
      ['PUT', `${KEYS}/${id}`, { name: 'b' }],
      ['POST', `${KEYS}/${id}/rotate`, {}],
    ] as const) {
      const answer = await ask(app, method, path, body);
      assert.deepEqual([answer.status, answer.body.data.code], [409, 'key_revoked']);
    }
  });

  it('refuses a key that another process revoked', async () => {
    const { value, id } = await create();
    assert.deepEqual(await as(value), [200, undefined]);
    const { status, stderr } = await runStreamgate({ DATA_DIR: dataDir }, 'key', 'revoke', id, '--account', 'acme');
    assert.equal(status, 0, stderr);
    assert.deepEqual(await as(value), [401, 'key_revoked']);
  });

  it('hides the keys of other accounts', async () => {
    const { id } = await create();
    const other = await app.secrets.create('other');
    assert.deepEqual(await as(other, 'PUT', `${KEYS}/${id}`, { name: 'b' }), [404, 'key_not_found']);
    assert.deepEqual(await as(other, 'DELETE', `${KEYS}/${id}`), [404, 'key_not_found']);
    assert.deepEqual(await as(other, 'POST', `${KEYS}/${id}/rotate`), [404, 'key_not_found']);
    const list = await ask(app, 'GET', KEYS, undefined, { authorization: `Bearer ${other}` });
    assert.deepEqual(list.body.data, []);
  });

  it('shows when and from where a key was last used', async () => {
    const { value, lastUsedOn } = await create();
    assert.equal(lastUsedOn, null);
    await as(value);
    const used = async () => (await ask(app, 'GET', KEYS)).body.data[0];
    let key = await used();
    while (key.lastUsedOn === null) key = await used();
    assert.deepEqual([Date.parse(key.lastUsedOn), key.lastUsedFrom], [app.clock.now, '127.0.0.1']);
  });

  it('keeps names as they are: HTML, emoji, right to left, 128 characters', async () => {
    for (const name of ['<img src=x onerror=alert(1)>', '🔑'.repeat(64), 'مفتاح البناء', 'x'.repeat(128)]) {
      assert.equal((await create({ name })).name, name);
    }
  });

  it('refuses invalid fields', async () => {
    for (const fields of [
      { name: '' },
      { name: 'x'.repeat(129) },
      { name: 'a\nb' },
      { scopes: [] },
      { scopes: ['root'] },
      { scopes: ['read', 'read'] },
      { expires: 0 },
      { expires: -5 },
      { expires: 1.5 },
      { value: 'sgk_mine' },
    ]) {
      const { status, body } = await ask(app, 'POST', KEYS, { name: 'a', scopes: ['read'], ...fields });
      assert.deepEqual([status, body.data.code], [400, 'invalid_request'], JSON.stringify(fields));
    }
    const { id } = await create();
    assert.equal((await ask(app, 'PUT', `${KEYS}/${id}`, {})).status, 400);
    assert.equal((await ask(app, 'POST', `${KEYS}/${id}/rotate`, { oldValueExpires: -1 })).status, 400);
    assert.equal((await ask(app, 'DELETE', `${KEYS}/1`)).status, 400);
  });

  it('slows a thousand wrong keys down, and lets a valid key through', async () => {
    const { value } = await create();
    await as(value);
    const codes = new Map<string, number>();
    for (let index = 0; index < 1_000; index += 1) {
      const [status, code] = await as(`sgk_${index}`);
      codes.set(`${status} ${code}`, (codes.get(`${status} ${code}`) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(codes), { '401 secret_wrong': 10, '429 too_many_attempts': 990 });
    assert.deepEqual(await as(value), [200, undefined]);
  });

  it('slows down a caller who repeats a revoked key', async () => {
    const { value, id } = await create();
    await ask(app, 'DELETE', `${KEYS}/${id}`);
    for (let index = 0; index < 10; index += 1) assert.deepEqual(await as(value), [401, 'key_revoked']);
    assert.deepEqual(await as(value), [429, 'too_many_attempts']);
  });
});

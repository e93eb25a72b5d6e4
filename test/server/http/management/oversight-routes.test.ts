import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FAILURES_ALLOWED } from '../../../../server/accounts/failed-attempt-limiter.js';
import { secretHash, secretId } from '../../../../server/accounts/secret-value.js';
import { Cleanup } from '../../../support/cleanup.js';
import { ask, managementApp, type ManagementApp } from '../../../support/management-app.js';

describe('oversight over HTTP', () => {
  const cleanup = new Cleanup();
  let app: ManagementApp;

  beforeEach(async () => {
    app = await managementApp(cleanup);
  });
  afterEach(() => cleanup.run());

  describe('wrong secrets', () => {
    const wrong = () => ask(app, 'GET', '/api/audit', undefined, { authorization: 'Bearer wrong' });

    it('are limited after several attempts, and correct secrets are not', async () => {
      for (let turn = 0; turn < FAILURES_ALLOWED; turn += 1) assert.equal((await wrong()).status, 401);
      const { status, headers, body } = await wrong();
      assert.deepEqual([status, body.status, body.data.code], [429, 'fail', 'too_many_attempts']);
      assert.match(headers.get('retry-after')!, /^(60|59)$/);
      assert.equal((await ask(app, 'GET', '/api/audit')).status, 200);
    });

    it('are counted together with wrong login codes', async () => {
      for (let turn = 0; turn < FAILURES_ALLOWED; turn += 1) await wrong();
      const login = (code: string) => ask(app, 'POST', '/api/dashboard/login', { code });
      assert.equal((await login('wrong')).body.data.code, 'too_many_attempts');
      assert.equal((await login(await app.dashboard.createCode('acme'))).status, 200);
    });

    it('are not counted if there is no secret', async () => {
      const none = () => fetch(`${app.origin}/api/audit`);
      for (let turn = 0; turn <= FAILURES_ALLOWED; turn += 1) assert.equal((await none()).status, 401);
    });
  });

  /** A page of a list as lines of CSV, and the address of the next page. */
  const table = async (path: string) => {
    const headers = { accept: 'text/csv', authorization: `Bearer ${app.secret}` };
    const response = await fetch(`${app.origin}${path}`, { headers });
    assert.match(response.headers.get('content-type')!, /^text\/csv/);
    const [, next] = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
    return { lines: (await response.text()).trimEnd().split('\r\n'), next };
  };

  it('lists changes as CSV, page by page', async () => {
    await ask(app, 'POST', '/api/subscribe_token', { label: 'a' });
    await ask(app, 'POST', '/api/subscribe_token', { label: 'b' });
    const first = await table('/api/audit?action=token_created&itemsOnPage=1');
    assert.equal(
      first.lines[0],
      'id,time,actor.by,actor.id,actor.name,action,target.kind,target.id,target.name,before,after',
    );
    assert.match(first.lines[1]!, /,secret,sec_[^,]+,,token_created,subscribe_token,2,b,,"\{.*""label"":""b""/);
    const second = await table(first.next!);
    assert.match(second.lines[1]!, /,subscribe_token,1,a,,/);
    assert.equal(second.next, undefined);
  });

  describe('GET /api/refusals', () => {
    const NOBODYS = 'ff'.repeat(32);
    /** Asks the director to watch `main`, through a proxy. */
    const watch = async (token: string, headers: Record<string, string> = {}, streamAccountId = 'acme') => {
      const viewing = { streamName: 'main', streamAccountId };
      const authorization = `Bearer ${token}`;
      const { body } = await ask(app, 'POST', '/api/director/subscribe', viewing, { authorization, ...headers });
      return body.data.code;
    };
    /** A token without streams, which permits nothing. */
    const idle = async () => (await ask(app, 'POST', '/api/subscribe_token', { label: 'Door' })).body.data;

    it('counts refused requests by kind, reason, token and origin', async () => {
      const { Id, Token } = await idle();
      for (let turn = 0; turn < 2; turn += 1) await watch(Token, { origin: 'https://a.example' });
      await watch(NOBODYS);
      const { body } = await ask(app, 'GET', '/api/refusals/groups');
      assert.deepEqual(
        body.data.map((group: Record<string, unknown>) => [
          group['refusals'],
          group['reason'],
          group['tokenId'],
          group['tokenLabel'],
        ]),
        [
          [2, 'stream_not_permitted', Id, 'Door'],
          [1, 'token_unknown', null, null],
        ],
      );
      assert.deepEqual([body.data[0].origin, body.data[1].origin, body.total], ['https://a.example', null, 2]);
      assert.ok(Date.parse(body.data[0].firstOn) <= Date.parse(body.data[0].lastOn));
      const { lines } = await table('/api/refusals/groups?reason=token_unknown');
      assert.match(lines[1]!, /^1,subscribe,token_unknown,,,/);
      assert.equal((await ask(app, 'GET', '/api/refusals/groups?by=reason')).status, 400);
    });

    it('lists refused requests as CSV', async () => {
      const { Id, Token } = await idle();
      await watch(Token, { origin: 'https://a.example' });
      const { lines } = await table('/api/refusals');
      assert.equal(lines[0], 'id,time,kind,reason,streamName,tokenId,tokenLabel,origin,address,namedAccount');
      const [, , ...fields] = lines[1]!.split(',');
      assert.deepEqual(fields, [
        'subscribe',
        'stream_not_permitted',
        'main',
        `${Id}`,
        'Door',
        'https://a.example',
        '127.0.0.1',
        '',
      ]);
    });

    it('lists refused requests with their reasons', async () => {
      app = await managementApp(cleanup, { TRUSTED_PROXIES: '127.0.0.1' });
      const { Id, Token } = await idle();
      await watch(Token, { origin: 'https://a.example', 'x-forwarded-for': '192.0.2.1' });
      await watch(NOBODYS, { 'x-forwarded-for': 'unknown' });
      const { status, body } = await ask(app, 'GET', '/api/refusals');
      assert.equal(status, 200);
      const { data, ...beside } = body;
      assert.deepEqual(beside, { status: 'success', total: 2, page: 1, itemsOnPage: 100, dropped: 0 });
      const common = {
        time: '2030-01-01T00:00:00.000Z',
        kind: 'subscribe',
        streamName: 'main',
        namedAccount: null,
      };
      assert.deepEqual(
        data.map(({ id: _id, ...rest }: { id: number }) => rest),
        [
          { ...common, tokenId: null, tokenLabel: null, origin: null, address: null, reason: 'token_unknown' },
          {
            ...common,
            tokenId: Id,
            tokenLabel: 'Door',
            origin: 'https://a.example',
            address: '192.0.2.1',
            reason: 'stream_not_permitted',
          },
        ],
      );
    });

    it('filters by stream, token and reason', async () => {
      const { Id, Token } = await idle();
      await watch(Token);
      const total = async (query: string) => (await ask(app, 'GET', `/api/refusals?${query}`)).body.total;
      assert.deepEqual(
        [await total(`streamName=main&tokenId=${Id}&reason=stream_not_permitted`), await total('streamName=other')],
        [1, 0],
      );
      assert.deepEqual([await total(`tokenId=${Id + 1}`), await total('reason=token_disabled')], [0, 0]);
    });

    it('lists nothing of another account', async () => {
      assert.equal(await watch(NOBODYS, {}, 'other'), 'token_unknown');
      assert.deepEqual((await ask(app, 'GET', '/api/refusals')).body.data, []);
    });

    it('refuses invalid requests', async () => {
      for (const query of [
        'page=0',
        'itemsOnPage=101',
        'reason=nonsense',
        'tokenId=x',
        'accountId=other',
        'streamName=',
      ]) {
        const { status, body } = await ask(app, 'GET', `/api/refusals?${query}`);
        assert.deepEqual([status, body.data.code], [400, 'invalid_request'], query);
      }
      assert.equal((await ask(app, 'POST', '/api/refusals')).status, 405);
    });
  });

  describe('GET /api/audit', () => {
    const entries = async (query = '') => (await ask(app, 'GET', `/api/audit${query}`)).body;

    it('lists changes made with an API secret, by the id of the secret', async () => {
      const { body: made } = await ask(app, 'POST', '/api/publish_token', { label: 'a' });
      const { Id, Token } = made.data;
      await ask(app, 'PUT', `/api/publish_token/${Id}`, { label: 'b' });
      await ask(app, 'PUT', `/api/publish_token/${Id}`, { refreshToken: true });
      await ask(app, 'DELETE', `/api/publish_token/${Id}`);

      const { data, total } = await entries('?itemsOnPage=4');
      const actor = { by: 'secret', id: secretId('sec', secretHash(app.secret)) };
      assert.deepEqual(
        data.map((entry: { action: string }) => entry.action),
        ['token_deleted', 'token_refreshed', 'token_changed', 'token_created'],
      );
      for (const entry of data) {
        assert.deepEqual([entry.actor, entry.target.kind, entry.target.id], [actor, 'publish_token', String(Id)]);
        assert.equal(entry.time, '2030-01-01T00:00:00.000Z');
      }
      // It is deleted, and is named as it was called then.
      assert.deepEqual(
        data.map((entry: { target: { name: string | null } }) => entry.target.name),
        ['b', 'b', 'b', 'a'],
      );
      assert.deepEqual([data[2].before, data[2].after], [{ label: 'a' }, { label: 'b' }]);
      assert.equal(total, 6);
      const text = JSON.stringify(data);
      assert.ok(!text.includes(Token) && !text.includes(app.secret));
    });

    it('lists changes made in the dashboard', async () => {
      const started = await app.dashboard.login(await app.dashboard.createCode('acme'));
      const response = await fetch(`${app.origin}/api/subscribe_token`, {
        method: 'POST',
        headers: { cookie: `streamgate_session=${started?.session}`, 'content-type': 'application/json' },
        body: '{"label":"by hand"}',
      });
      assert.equal(response.status, 200);
      const { data } = await entries();
      const login = { by: 'dashboard', id: app.dashboard.idOf(started!.session) };
      assert.deepEqual(
        data.slice(0, 3).map(({ action, actor }: { action: string; actor: object }) => [action, actor]),
        [
          ['token_created', login],
          ['dashboard_opened', login],
          ['dashboard_link_created', { by: 'server', id: null }],
        ],
      );
    });

    it('filters by action, in pages', async () => {
      for (const label of ['a', 'b', 'c']) await ask(app, 'POST', '/api/publish_token', { label });
      const { data, total, page } = await entries('?action=token_created&itemsOnPage=2&page=2');
      assert.deepEqual([data.length, data[0].after.label, total, page], [1, 'a', 3, 2]);
      assert.equal((await ask(app, 'GET', '/api/audit?action=nonsense')).status, 400);
    });
  });

  describe('several accounts', () => {
    it('cannot see tokens and entries of each other', async () => {
      const theirs = { authorization: `Bearer ${await app.secrets.create('other')}` };
      const { body } = await ask(app, 'POST', '/api/publish_token', {
        label: 'ours',
        streams: [{ streamName: 'main' }],
      });
      const path = `/api/publish_token/${body.data.Id}`;
      for (const [method, change] of [['GET'], ['PUT', { label: 'x' }], ['DELETE']] as const) {
        const { status } = await ask(app, method, path, change, theirs);
        assert.equal(status, 404, method);
      }
      assert.equal((await ask(app, 'GET', '/api/publish_token/list', undefined, theirs)).body.total, 0);
      const { body: audit } = await ask(app, 'GET', '/api/audit', undefined, theirs);
      assert.deepEqual(
        audit.data.map(({ action }: { action: string }) => action),
        ['secret_created', 'account_created'],
      );

      await app.secrets.delete('other');
      assert.equal((await ask(app, 'GET', path, undefined, theirs)).status, 401);
      assert.equal((await ask(app, 'GET', path)).body.data.Label, 'ours');
    });
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { ask, managementApp, type ManagementApp } from '../../../support/management-app.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { askDirector, openSocket } from '../../../support/stream-server.js';

const UNKNOWN_ID = 999;

describe('the token API', () => {
  const cleanup = new Cleanup();
  let app: ManagementApp;

  beforeEach(async () => {
    app = await managementApp(cleanup);
  });
  afterEach(() => cleanup.run());

  const create = async (path = '/api/subscribe_token', body: object = {}) => {
    const { status, body: answer } = await ask(app, 'POST', path, body);
    assert.equal(status, 200);
    return answer.data;
  };

  /** The director's error code for this token and the stream `main`. */
  const director = async (call: 'publish' | 'subscribe', token: string) => {
    const { body } = await askDirector(app, call, token, { streamName: 'main', streamAccountId: 'acme' });
    return body.data.code;
  };

  it('creates a publish token and returns every field in both letter cases', async () => {
    const streams = [{ streamName: 'main' }, { streamName: 'cam.*', isRegex: true }];
    const body = { label: 'stage', streams, subscribeRequiresAuth: true, expires: 60 };
    const answer = await ask(app, 'POST', '/api/publish_token', body);
    const { Token, Id } = answer.body.data;
    assert.match(Token, /^[0-9a-f]{64}$/);
    assert.deepEqual(answer.body, {
      status: 'success',
      data: {
        Id,
        id: Id,
        Label: 'stage',
        label: 'stage',
        Token,
        token: Token,
        Record: false,
        record: false,
        recordingRetentionDays: null,
        subscribeRequiresAuth: true,
        addedOn: '2030-01-01T00:00:00.000Z',
        expiresOn: '2030-01-01T00:01:00.000Z',
        isActive: true,
        streams: [
          { streamName: 'main', isRegex: false },
          { streamName: 'cam.*', isRegex: true },
        ],
        allowedOrigins: [],
        allowedCountries: [],
        deniedCountries: [],
        allowedIpAddresses: [],
        deniedIpAddresses: [],
        bindIpsOnUsage: 0,
        boundIps: [],
      },
    });
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });

  it('creates a subscribe token without fields, which permits nothing', async () => {
    const data = await create();
    assert.deepEqual([data.streams, data.expiresOn, data.label, data.isActive], [[], null, '', true]);
    assert.ok(!('subscribeRequiresAuth' in data) && !('Record' in data) && !('record' in data));
    assert.equal(await director('subscribe', data.Token), 'stream_not_permitted');
    assert.equal((await ask(app, 'POST', '/api/subscribe_token')).status, 200);
  });

  it('gets, changes and deletes a token by its id', async () => {
    const made = await create('/api/publish_token', { label: 'a' });
    const path = `/api/publish_token/${made.Id}`;
    assert.deepEqual((await ask(app, 'GET', path)).body.data, made);
    const changed = await ask(app, 'PUT', path, { subscribeRequiresAuth: true });
    assert.deepEqual(changed.body.data, { ...made, subscribeRequiresAuth: true });
    assert.deepEqual((await ask(app, 'DELETE', path)).body, { status: 'success', data: true });
    assert.equal((await ask(app, 'GET', path)).status, 404);
  });

  it('adds, removes and replaces the streams of a token', async () => {
    const { Id } = await create('/api/subscribe_token', { streams: [{ streamName: 'a' }, { streamName: 'b' }] });
    const change = { addTokenStreams: [{ streamName: 'c' }], removeTokenStreams: ['a'] };
    const { body } = await ask(app, 'PUT', `/api/subscribe_token/${Id}`, change);
    assert.deepEqual(body.data.streams, [
      { streamName: 'b', isRegex: false },
      { streamName: 'c', isRegex: false },
    ]);
  });

  it('gives a token a new value', async () => {
    const made = await create();
    const { body } = await ask(app, 'PUT', `/api/subscribe_token/${made.Id}`, { refreshToken: true });
    assert.notEqual(body.data.Token, made.Token);
    assert.equal(await director('subscribe', made.Token), 'token_unknown');
  });

  it('restricts origins and addresses of a token, and returns them in canonical form', async () => {
    const restrictions = { allowedOrigins: ['https://A.test:443', '*.b.test'], allowedIpAddresses: ['192.0.2.77/24'] };
    const { Id } = await create('/api/subscribe_token', restrictions);
    const { body } = await ask(app, 'GET', `/api/subscribe_token/${Id}`);
    assert.deepEqual(
      [body.data.allowedOrigins, body.data.allowedIpAddresses],
      [['https://a.test', '*.b.test'], ['192.0.2.0/24']],
    );
  });

  it('limits how many may watch with a subscribe token, and not with a publish token', async () => {
    const { body } = await ask(app, 'POST', '/api/subscribe_token', { maxSessions: 2 });
    assert.deepEqual([body.data.maxSessions, body.data.whenFull], [2, 'refuse']);
    const path = `/api/subscribe_token/${body.data.id}`;
    await ask(app, 'PUT', path, { whenFull: 'displace' });
    const { data } = (await ask(app, 'GET', path)).body;
    assert.deepEqual([data.maxSessions, data.whenFull], [2, 'displace']);

    const publishing = await ask(app, 'POST', '/api/publish_token', { maxSessions: 2 });
    assert.deepEqual([publishing.status, publishing.body.data.code], [400, 'invalid_request']);
    const { body: created } = await ask(app, 'POST', '/api/publish_token', {});
    assert.equal('maxSessions' in created.data, false);
  });

  describe('that is read and then changed', () => {
    const path = (id: number) => `/api/subscribe_token/${id}`;
    const put = (id: number, body: object, ifMatch?: string) =>
      ask(app, 'PUT', path(id), body, ifMatch === undefined ? {} : { 'if-match': ifMatch });
    const create = async () => {
      const { body, headers } = await ask(app, 'POST', '/api/subscribe_token', { label: 'a' });
      const id: number = body.data.id;
      return { id, etag: headers.get('etag') ?? assert.fail('no ETag') };
    };

    it('has an ETag, which every change replaces', async () => {
      const { id, etag } = await create();
      assert.equal((await ask(app, 'GET', path(id))).headers.get('etag'), etag);
      const changed = (await put(id, { label: 'b' })).headers.get('etag');
      assert.notEqual(changed, etag);
      assert.equal((await ask(app, 'GET', path(id))).headers.get('etag'), changed);
    });

    it('is changed if If-Match names its version, also as a weak one or among others', async () => {
      const { id, etag } = await create();
      const second = await put(id, { label: 'b' }, etag);
      assert.equal(second.status, 200);
      const third = await put(id, { label: 'c' }, `W/${second.headers.get('etag')}`);
      assert.equal(third.status, 200);
      assert.equal((await put(id, { label: 'd' }, `"x", ${third.headers.get('etag')}`)).status, 200);
      assert.equal((await put(id, { label: 'e' }, '*')).body.data.label, 'e');
    });

    it('is not changed if If-Match names an old version: the second of two people is told', async () => {
      const { id, etag } = await create();
      const [one, other] = await Promise.all([put(id, { label: 'one' }, etag), put(id, { label: 'other' }, etag)]);
      assert.deepEqual([one.status, other.status].toSorted(), [200, 412]);
      const [winner, loser] = one.status === 200 ? [one, other] : [other, one];
      assert.equal(loser.body.data.code, 'etag_mismatch');
      assert.equal(loser.headers.get('etag'), winner.headers.get('etag'));
      const { body, headers } = await ask(app, 'GET', path(id));
      assert.equal(body.data.label, winner.body.data.label);
      assert.equal(headers.get('etag'), winner.headers.get('etag'));
    });

    it('is not changed by a request whose If-Match cannot be read', async () => {
      const { id } = await create();
      const { status, body } = await put(id, { label: 'b' }, '7');
      assert.deepEqual([status, body.data.code], [400, 'invalid_request']);
    });
  });

  it('returns bound addresses with their times until binding is switched off', async () => {
    const { Id } = await create('/api/subscribe_token', { bindIpsOnUsage: 1 });
    await app.tokens.bindAddress(Id, '192.0.2.1');
    const path = `/api/subscribe_token/${Id}`;
    const { data } = (await ask(app, 'GET', path)).body;
    assert.deepEqual(
      [data.bindIpsOnUsage, data.allowedIpAddresses, data.boundIps],
      [1, ['192.0.2.1'], [{ address: '192.0.2.1', boundOn: '2030-01-01T00:00:00.000Z' }]],
    );
    const undone = await ask(app, 'PUT', path, { bindIpsOnUsage: 0, updateAllowedIpAddresses: [] });
    const { bindIpsOnUsage, allowedIpAddresses, boundIps } = undone.body.data;
    assert.deepEqual([bindIpsOnUsage, allowedIpAddresses, boundIps], [0, [], []]);
  });

  it('stores that a publish token records, in both letter cases', async () => {
    const made = await create('/api/publish_token', { record: true });
    const { body } = await ask(app, 'GET', `/api/publish_token/${made.Id}`);
    assert.deepEqual([body.data.Record, body.data.record], [true, true]);
    assert.equal((await create('/api/publish_token', { record: null })).Record, false);
  });

  it('stores after how many days recordings of a publish token are deleted, and notes changes of it', async () => {
    const { Id, ...made } = await create('/api/publish_token', { recordingRetentionDays: 30 });
    assert.equal(made['recordingRetentionDays'], 30);
    await ask(app, 'PUT', `/api/publish_token/${Id}`, { recordingRetentionDays: null });
    const { body } = await ask(app, 'GET', '/api/publish_token/list');
    assert.equal(body.data[0].recordingRetentionDays, null);
    const audit = await ask(app, 'GET', '/api/audit');
    assert.deepEqual(
      [audit.body.data[0].before, audit.body.data[0].after],
      [{ recordingRetentionDays: 30 }, { recordingRetentionDays: null }],
    );
    for (const recordingRetentionDays of [0, 1.5, 36_501]) {
      const refused = await ask(app, 'POST', '/api/publish_token', { recordingRetentionDays });
      assert.deepEqual([refused.status, refused.body.data.code], [400, 'invalid_request']);
    }
    assert.equal((await ask(app, 'POST', '/api/subscribe_token', { recordingRetentionDays: 3 })).status, 400);
  });

  it('changes any one field, under either of its names', async () => {
    const { Id } = await create('/api/publish_token', { expires: 60 });
    const path = `/api/publish_token/${Id}`;
    for (const [change, field, value] of [
      [{ subscribeRequiresAuth: true }, 'subscribeRequiresAuth', true],
      [{ record: true }, 'record', true],
      [{ record: null }, 'Record', false],
      [{ recordingRetentionDays: 7 }, 'recordingRetentionDays', 7],
      [{ allowedOrigins: ['a.test'] }, 'allowedOrigins', ['a.test']],
      [{ updateAllowedOrigins: ['b.test'] }, 'allowedOrigins', ['b.test']],
      [{ updateAllowedIpAddresses: ['::1'] }, 'allowedIpAddresses', ['::1']],
      [{ deniedIpAddresses: ['2001:DB8::/64'] }, 'deniedIpAddresses', ['2001:db8::/64']],
      [{ updateDeniedIpAddresses: [] }, 'deniedIpAddresses', []],
      [{ updateBindIpsOnUsage: 3, allowedIpAddresses: [] }, 'bindIpsOnUsage', 3],
      [{ bindIpsOnUsage: null }, 'bindIpsOnUsage', 0],
      [{ expires: null }, 'expiresOn', null],
    ] as const) {
      const { status, body } = await ask(app, 'PUT', path, change);
      assert.deepEqual([status, body.data[field]], [200, value], JSON.stringify(change));
    }
  });

  it('lists tokens of one kind with the total', async () => {
    for (const label of ['b', 'a', 'c']) await create('/api/subscribe_token', { label });
    await create('/api/publish_token');
    const query = 'page=1&itemsOnPage=2&sortBy=Name&isDescending=true';
    const { body } = await ask(app, 'GET', `/api/subscribe_token/list?${query}`);
    assert.deepEqual(
      body.data.map(({ Label }: { Label: string }) => Label),
      ['c', 'b'],
    );
    assert.deepEqual([body.total, body.page, body.itemsOnPage, body.status], [3, 1, 2, 'success']);
    assert.deepEqual((await ask(app, 'GET', '/api/subscribe_token/list?page=9')).body.data, []);
  });

  it('searches tokens by a part of their label or stream name, and by state', async () => {
    await create('/api/publish_token', { label: 'Keynote' });
    const { id } = await create('/api/publish_token', { streams: [{ streamName: 'keynote-2' }] });
    await ask(app, 'PUT', `/api/publish_token/${id}`, { isActive: false });
    await create('/api/publish_token', { label: 'lunch' });
    const found = async (query: string) => (await ask(app, 'GET', `/api/publish_token/list?${query}`)).body;
    assert.equal((await found('search=eyn')).total, 2);
    const { data, total } = await found('search=EYN&state=disabled&itemsOnPage=1');
    assert.deepEqual([data[0].id, total], [id, 1]);
    assert.equal((await found('search=')).total, 3);
  });

  it('lists tokens as CSV, without their values, with the address of the next page', async () => {
    const streams = [{ streamName: 'a,b' }];
    for (const label of ['=1', 'two', 'three']) await create('/api/subscribe_token', { label, streams });
    const page = async (path: string) =>
      await fetch(`${app.origin}${path}`, { headers: { accept: 'text/csv', authorization: `Bearer ${app.secret}` } });
    const first = await page('/api/subscribe_token/list?itemsOnPage=2&sortBy=AddedOn');
    assert.match(first.headers.get('content-type')!, /^text\/csv/);
    const lines = (await first.text()).split('\r\n');
    assert.equal(lines.length, 4);
    assert.match(lines[0]!, /^id,label,isActive,addedOn,expiresOn,streams,/);
    assert.match(lines[1]!, /^1,'=1,true,[^,]+,,"\[\{""streamName"":""a,b"",""isRegex"":false\}\]",/);
    assert.doesNotMatch(lines.join(), /[0-9a-f]{64}/);
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.get('link')!)![1]!;
    const second = await page(next);
    assert.match(await second.text(), /\r\n3,three,/);
    assert.equal(second.headers.get('link'), null);
  });

  it('changes several tokens independently, and answers for each', async () => {
    const [first, second] = [await create(), await create()];
    const tokenIds = [first.id, UNKNOWN_ID, second.id, first.id];
    const change = async (action: string) =>
      (await ask(app, 'POST', '/api/subscribe_token/bulk', { action, tokenIds })).body.data.results;
    const expected = [
      { tokenId: first.id, done: true },
      { tokenId: UNKNOWN_ID, done: false, code: 'token_not_found', message: 'No subscribe token with id: 999' },
      { tokenId: second.id, done: true },
    ];
    const isActive = async () => (await ask(app, 'GET', `/api/subscribe_token/${second.id}`)).body.data?.isActive;
    assert.deepEqual([await change('disable'), await isActive()], [expected, false]);
    assert.deepEqual([await change('enable'), await isActive()], [expected, true]);
    assert.deepEqual([await change('delete'), await isActive()], [expected, undefined]);
  });

  it('refuses to change no token, more than a thousand, and in a way that there is not', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => index + 1);
    for (const body of [
      { action: 'enable', tokenIds: [] },
      { action: 'enable', tokenIds: many },
      { action: 'enable', tokenIds: ['1'] },
      { action: 'refresh', tokenIds: [1] },
    ]) {
      assert.equal((await ask(app, 'POST', '/api/publish_token/bulk', body)).status, 400);
    }
  });

  it('counts the broadcasts and viewers with tokens of the account', async () => {
    const streams = [{ streamName: 'main', isRegex: false }];
    const publish = await create('/api/publish_token', { streams });
    const stream = { streamName: 'main', streamAccountId: 'acme' };
    const publisher = await openSocket(await askDirector(app, 'publish', publish.token, stream));
    await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) });
    const watch = await create('/api/subscribe_token', { streams });
    for (let viewers = 0; viewers < 2; viewers += 1) {
      await openSocket(await askDirector(app, 'subscribe', watch.token, stream));
    }
    const count = async (kind: string, tokenIds: number[]) =>
      (await ask(app, 'POST', `/api/${kind}_token/open_sessions`, { tokenIds })).body.data.sessions;
    assert.deepEqual(
      [await count('publish', [publish.id]), await count('subscribe', [watch.id, watch.id, UNKNOWN_ID])],
      [1, 2],
    );
    assert.deepEqual([await count('publish', [watch.id]), await count('subscribe', [publish.id])], [0, 0]);
  });

  it('lists tokens by label or stream name', async () => {
    await create('/api/publish_token', { label: 'keynote' });
    await create('/api/publish_token', { label: 'x', streams: [{ streamName: 'keynote' }] });
    const byName = async (query: string) => await ask(app, 'GET', `/api/publish_token/list_by_name?${query}`);
    assert.equal((await byName('name=keynote')).body.total, 2);
    const { body } = await byName('name=keynote&filterBy=StreamName&page=1&itemsOnPage=5');
    assert.deepEqual([body.data[0].Label, body.total, body.itemsOnPage], ['x', 1, 5]);
    for (const query of ['', 'name=', 'name=a&filterBy=Token', 'name=%00']) {
      assert.equal((await byName(query)).status, 400, query);
    }
  });

  it('lists the tokens of running broadcasts', async () => {
    const goLive = async (accountId: string, streamName: string) => {
      const streams = [{ streamName, isRegex: false }];
      const { id, token } = await app.tokens.create({ accountId, kind: 'publish' }, { label: '', streams });
      const publisher = await openSocket(await askDirector(app, 'publish', token, { streamName }));
      await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) });
      return id;
    };
    const [a, c] = [await goLive('acme', 'a'), await goLive('acme', 'b/c')];
    await goLive('other', 'a');
    const active = async (query: string) => (await ask(app, 'GET', `/api/publish_token/active${query}`)).body.data;
    assert.deepEqual(await active('?streamId=acme/b/c'), { tokenIds: [c] });
    assert.deepEqual(await active('?streamId=acme/nobody'), { tokenIds: [] });
    assert.deepEqual(await active('?streamId=other/a'), { tokenIds: [] });
    assert.deepEqual(await active('/all/'), { tokenIds: [a, c] });
    for (const query of ['', '?streamId=acme', '?streamId=/a', '?streamId=acme/a&streamId=acme/b']) {
      assert.equal((await active(query)).code, 'invalid_request', query);
    }
  });

  it('disables several tokens, and lists those that do not exist', async () => {
    const [one, two] = [await create('/api/publish_token'), await create('/api/publish_token')];
    const viewers = await create('/api/subscribe_token');
    const path = '/api/publish_token/disable';
    const { body } = await ask(app, 'PATCH', path, { tokenIds: [one.Id, viewers.Id, two.Id, one.Id] });
    assert.deepEqual(body.data, {
      successfulTokens: [one.Id, two.Id],
      failedTokens: [{ tokenId: viewers.Id, errorMessage: `No publish token with id: ${viewers.Id}` }],
    });
    assert.equal(await director('publish', one.Token), 'token_disabled');
    assert.equal(await director('subscribe', viewers.Token), 'stream_not_permitted');
    for (const tokenIds of [[], ['1'], [0], [2 ** 53], 1, Array(1_001).fill(1)]) {
      const answer = await ask(app, 'PATCH', path, { tokenIds });
      assert.deepEqual([answer.status, answer.body.data.code], [400, 'invalid_request']);
    }
  });

  it('has only the update at the paths of version 2', async () => {
    for (const kind of ['publish_token', 'subscribe_token']) {
      const { Id } = await create(`/api/${kind}`);
      const { body } = await ask(app, 'PUT', `/api/v2/${kind}/${Id}/`, { allowedOrigins: ['a.test'] });
      assert.deepEqual(body.data.allowedOrigins, ['a.test']);
      assert.equal((await ask(app, 'GET', `/api/v2/${kind}/${Id}`)).status, 405);
    }
  });

  describe('with an Idempotency-Key', () => {
    const authorized = () => ({ authorization: `Bearer ${app.secret}` });
    const createWith = (key: string, body: object, path = '/api/subscribe_token') =>
      ask(app, 'POST', path, body, { ...authorized(), 'idempotency-key': key });

    it('creates one token, however often and concurrently the request is sent', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => createWith('k', { label: 'a', expires: 60 })));
      app.clock.now += 1_000;
      answers.push(await createWith('k', { expires: 60, label: 'a' }));
      assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
      assert.equal((await ask(app, 'GET', '/api/subscribe_token/list')).body.total, 1);
    });

    it('refuses another request with the same key', async () => {
      await createWith('k', { label: 'a' });
      const { status, body } = await createWith('k', { label: 'b' });
      assert.deepEqual([status, body.data.code], [422, 'idempotency_key_reused']);
    });

    it('creates another token for the other kind, and after a day', async () => {
      const first = await createWith('k', {});
      assert.notEqual((await createWith('k', {}, '/api/publish_token')).body.data.Id, first.body.data.Id);
      app.clock.now += 24 * 60 * 60 * 1_000;
      assert.deepEqual((await createWith('k', {})).body, first.body);
      app.clock.now += 1;
      assert.notEqual((await createWith('k', {})).body.data.Id, first.body.data.Id);
    });

    it('does not bind the key to a refused create', async () => {
      assert.equal((await createWith('k', { bindIpsOnUsage: -1 })).status, 400);
      assert.equal((await createWith('k', {})).status, 200);
    });

    it('refuses a key that is too long', async () => {
      const { status, body } = await createWith('k'.repeat(256), {});
      assert.deepEqual([status, Object.keys(body.data.errors)], [400, ['Idempotency-Key']]);
    });
  });

  it('accepts a trailing slash', async () => {
    const { Id } = await create('/api/subscribe_token/');
    assert.equal((await ask(app, 'GET', `/api/subscribe_token/${Id}/`)).status, 200);
    assert.equal((await ask(app, 'GET', '/api/subscribe_token/list/')).status, 200);
  });

  it('does not show tokens of one account to another', async () => {
    const { Id } = await create();
    const authorization = `Bearer ${await app.secrets.create('other')}`;
    const path = `/api/subscribe_token/${Id}`;
    for (const [method, body] of [['GET'], ['PUT', { label: 'x' }], ['DELETE']] as const) {
      const answer = await ask(app, method, path, body, { authorization });
      assert.deepEqual([answer.status, answer.body.data.code], [404, 'token_not_found']);
    }
    assert.equal((await ask(app, 'GET', '/api/subscribe_token/list', undefined, { authorization })).body.total, 0);
    assert.equal((await ask(app, 'GET', path)).status, 200);
  });

  describe('refuses', () => {
    const long = 'x'.repeat(129);
    const BODIES: readonly (readonly [what: string, body: unknown, code: string, field?: string])[] = [
      ['what is not JSON', '{"label":', 'invalid_json'],
      ['a JSON text that is no object', '"label"', 'invalid_json'],
      ['a list', [], 'invalid_request', ''],
      ['null', 'null', 'invalid_json'],
      ['an unknown field', { lable: 'x' }, 'invalid_request', ''],
      ['__proto__', '{"__proto__":{"label":"x"}}', 'invalid_request', ''],
      ['a label that is a number', { label: 1 }, 'invalid_request', 'label'],
      ['a label of 129 characters', { label: long }, 'invalid_request', 'label'],
      [
        'a stream name of 129 characters',
        { streams: [{ streamName: long }] },
        'invalid_request',
        'streams.0.streamName',
      ],
      ['an empty stream name', { streams: [{ streamName: '' }] }, 'invalid_request', 'streams.0.streamName'],
      ['streams that are names only', { streams: ['main'] }, 'invalid_request', 'streams.0'],
      ['an unknown field of a stream', { streams: [{ streamName: 'a', is: 1 }] }, 'invalid_request', 'streams.0'],
      ['isRegex as text', { streams: [{ streamName: 'a', isRegex: 'true' }] }, 'invalid_request', 'streams.0.isRegex'],
      ['expires of 0', { expires: 0 }, 'invalid_request', 'expires'],
      ['expires as text', { expires: '60' }, 'invalid_request', 'expires'],
      ['expires past 32 bits', { expires: 2 ** 31 }, 'invalid_request', 'expires'],
      ['expires with a fraction', { expires: 1.5 }, 'invalid_request', 'expires'],
      ['a label with a NUL', { label: 'a\u0000b' }, 'invalid_request', 'label'],
      ['a label of two lines', { label: 'a\nb' }, 'invalid_request', 'label'],
      ['a stream name with a NUL', { streams: [{ streamName: 'a\u0000' }] }, 'invalid_request', 'streams.0.streamName'],
      ['origins that are no list', { allowedOrigins: 'a.test' }, 'invalid_request', 'allowedOrigins'],
      ['an origin that is a number', { allowedOrigins: [1] }, 'invalid_request', 'allowedOrigins.0'],
      ['1001 origins', { allowedOrigins: Array(1_001).fill('a.test') }, 'invalid_request', 'allowedOrigins'],
      ['1001 addresses', { allowedIpAddresses: Array(1_001).fill('::1') }, 'invalid_request', 'allowedIpAddresses'],
      ['an endless origin', { allowedOrigins: ['a'.repeat(301)] }, 'invalid_request', 'allowedOrigins.0'],
      ['1001 places', { bindIpsOnUsage: 1_001 }, 'invalid_request', 'bindIpsOnUsage'],
      ['less than no place', { bindIpsOnUsage: -1 }, 'invalid_request', 'bindIpsOnUsage'],
      ['places as text', { bindIpsOnUsage: '1' }, 'invalid_request', 'bindIpsOnUsage'],
      [
        'binding beside a list',
        { bindIpsOnUsage: 1, allowedIpAddresses: ['::1'] },
        'binding_with_list',
        'bindIpsOnUsage',
      ],
      ['tracking', { tracking: { trackingId: 'x' } }, 'unsupported_field', 'tracking'],
      ['countries', { allowedCountries: ['DE'] }, 'unsupported_field', 'allowedCountries'],
      [
        'a pattern that RE2 refuses',
        { streams: [{ streamName: '(?=x)', isRegex: true }] },
        'invalid_pattern',
        'streams.0.streamName',
      ],
    ];

    for (const [what, body, code, field] of BODIES) {
      it(`${what}, in a create`, async () => {
        const answer = await ask(app, 'POST', '/api/subscribe_token', body);
        assert.deepEqual([answer.status, answer.body.status, answer.body.data.code], [400, 'fail', code]);
        assert.ok(answer.body.data.message.length > 0);
        if (field !== undefined) assert.deepEqual(Object.keys(answer.body.data.errors), [field]);
        assert.equal((await ask(app, 'GET', '/api/subscribe_token/list')).body.total, 0);
      });
    }

    it('more than a thousand streams', async () => {
      const streams = Array.from({ length: 1_001 }, (_, index) => ({ streamName: `s${index}` }));
      const answer = await ask(app, 'POST', '/api/subscribe_token', { streams });
      assert.deepEqual([answer.status, Object.keys(answer.body.data.errors)], [400, ['streams']]);
    });

    it('a field that is given under both of its names', async () => {
      const { Id } = await create();
      const change = { allowedOrigins: ['a.test'], updateAllowedOrigins: [] };
      const answer = await ask(app, 'PUT', `/api/subscribe_token/${Id}`, change);
      assert.deepEqual(
        [answer.status, answer.body.data.code, Object.keys(answer.body.data.errors)],
        [400, 'invalid_request', ['updateAllowedOrigins']],
      );
    });

    it('recording on a subscribe token', async () => {
      const answer = await ask(app, 'POST', '/api/subscribe_token', { record: true });
      assert.deepEqual([answer.status, answer.body.data.code], [400, 'invalid_request']);
    });

    it('subscribeRequiresAuth on a subscribe token', async () => {
      const answer = await ask(app, 'POST', '/api/subscribe_token', { subscribeRequiresAuth: true });
      assert.deepEqual([answer.status, answer.body.data.code], [400, 'invalid_request']);
    });

    it('an update without fields, or with two ways of changing the streams', async () => {
      const { Id } = await create();
      for (const change of [
        {},
        undefined,
        { streams: [], addTokenStreams: [] },
        { streams: [], removeTokenStreams: [] },
      ]) {
        const answer = await ask(app, 'PUT', `/api/subscribe_token/${Id}`, change);
        assert.deepEqual([answer.status, answer.body.data.code], [400, 'invalid_request']);
      }
    });

    it('an unknown id, and the id of a token of the other kind', async () => {
      const { Id } = await create('/api/publish_token');
      for (const id of [Id, UNKNOWN_ID]) {
        for (const [method, body] of [['GET'], ['PUT', { label: 'x' }], ['DELETE']] as const) {
          const answer = await ask(app, method, `/api/subscribe_token/${id}`, body);
          assert.deepEqual([answer.status, answer.body.data.code], [404, 'token_not_found']);
        }
      }
    });

    for (const id of ['0', '-1', 'abc', '1e3', '1.0', '9007199254740993', '99999999999999999999', '1%20', '%E0%A4%A']) {
      it(`${id} as an id`, async () => {
        const answer = await ask(app, 'GET', `/api/subscribe_token/${id}`);
        assert.deepEqual([answer.status, answer.body.data.code], [400, 'invalid_request']);
      });
    }

    for (const query of [
      'page=0',
      'page=x',
      'page=1&page=2',
      'itemsOnPage=101',
      'sortBy=Token',
      'state=live',
      'search=%00',
      `search=${'x'.repeat(129)}`,
      'isDescending=1',
      'q=1',
    ]) {
      it(`a list of ${query}`, async () => {
        const answer = await ask(app, 'GET', `/api/subscribe_token/list?${query}`);
        assert.deepEqual([answer.status, answer.body.data.code], [400, 'invalid_request']);
      });
    }

    it('a body over 64 KB', async () => {
      const answer = await ask(app, 'POST', '/api/subscribe_token', { label: 'x'.repeat(65 * 1024) });
      assert.deepEqual([answer.status, answer.body.data.code], [413, 'body_too_large']);
    });

    it('a body without the type JSON', async () => {
      const type = { 'content-type': 'text/plain' };
      const answer = await ask(app, 'POST', '/api/subscribe_token', { label: 'x' }, type);
      assert.deepEqual([answer.status, answer.body.data.code], [415, 'not_json']);
    });

    it('a method that is not allowed', async () => {
      const answer = await ask(app, 'PATCH', '/api/subscribe_token/1', {});
      assert.deepEqual([answer.status, answer.body.data.code], [405, 'method_not_allowed']);
      assert.equal(answer.headers.get('allow'), 'GET, PUT, DELETE');
      assert.equal((await ask(app, 'GET', '/api/subscribe_token')).status, 405);
    });
  });
});

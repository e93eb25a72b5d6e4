import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { endpoints } from '../../../../server/http/endpoints/endpoints.js';
import { Cleanup } from '../../../support/cleanup.js';
import { askIngest, type Ask } from '../../../support/ingest-client.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { routesOf } from '../../../support/routes-of.js';
import { askDirector, streamServer, type TestServer } from '../../../support/stream-server.js';

const ERRORS = join(import.meta.dirname, '../../../../docs/errors');

describe('GET /api/openapi.json', () => {
  const cleanup = new Cleanup();
  let server: TestServer;
  let secret: string;
  let document: ReturnType<typeof JSON.parse>;
  let ajv: Ajv2020;

  before(async () => {
    server = await streamServer(cleanup);
    secret = await server.server.secrets.create('main');
    document = await (await fetch(`${server.origin}/api/openapi.json`)).json();
    ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'api', components: document.components });
  });
  after(() => cleanup.run());

  it('describes exactly the routes of the server', () => {
    const described = new Set(
      Object.entries<object>(document.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
      ),
    );
    const api = routesOf(server.server.router)
      .filter(
        (route) => / \/(api|livez|healthz|readyz|metrics|oembed)/.test(route) && !/ \/api\/(docs|openapi)/.test(route),
      )
      .map((route) => route.replace('*', ':'));
    assert.deepEqual(api.toSorted(), [...described].toSorted());
    assert.ok(api.length > 15);
  });

  it('is a document of OpenAPI 3.1 without broken references', () => {
    assert.deepEqual([document.openapi, document.info.title], ['3.1.0', 'Streamgate']);
    for (const [, path] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = path!.split('/').reduce((at, key) => at?.[key], document);
      assert.ok(target, path);
    }
    const ids = endpoints.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('includes the limits of request fields', () => {
    const { CreatePublishToken: create } = document.components.schemas;
    assert.equal(create.properties.streams.anyOf[0].maxItems, 1000);
    assert.equal(create.properties.allowedOrigins.anyOf[0].maxItems, 1000);
    assert.equal(create.properties.label.maxLength, 128);
    const { parameters } = document.paths['/api/refusals'].get;
    const page = parameters.find(({ name }: { name: string }) => name === 'itemsOnPage');
    assert.deepEqual(page.schema, { type: 'integer', minimum: 1, maximum: 100, default: 100 });
  });

  it('names only error codes that have a page', () => {
    for (const [, code] of JSON.stringify(document).matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)) {
      assert.ok(existsSync(join(ERRORS, `${code}.md`)), code);
    }
  });

  /** Calls one operation, and validates the response against the schema for its status. */
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const template = Object.keys(document.paths)
      .filter((known) => new RegExp(`^${known.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0]!))
      .toSorted((one, other) => Number(one.includes('{')) - Number(other.includes('{')))[0]!;
    const response = await fetch(server.origin + path, {
      method,
      headers: { authorization: `Bearer ${secret}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = JSON.parse(await response.text());
    const described = document.paths[template][method.toLowerCase()].responses[response.status];
    assert.ok(
      described,
      `${method} ${template} does not say that it may answer ${response.status}: ${JSON.stringify(answer)}`,
    );
    hold(described.content['application/json'].schema, answer, `${method} ${path} ${response.status}`);
    return { status: response.status, data: answer.data };
  };
  const hold = (schema: object, answer: unknown, what: string) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/');
    const validate = ajv.compile(JSON.parse(text));
    assert.ok(validate(answer), `${what}: ${ajv.errorsText(validate.errors)}`);
  };

  it('describes the responses of every route to valid and invalid requests', async () => {
    for (const kind of ['publish', 'subscribe']) {
      const path = `/api/${kind}_token`;
      const { data } = await call('POST', path, { label: 'a', streams: [{ streamName: 'main' }], bindIpsOnUsage: 2 });
      assert.equal((await call('POST', path, { label: 1 })).status, 400);
      assert.equal((await call('POST', path, { streams: [{ streamName: '(', isRegex: true }] })).status, 400);
      assert.equal((await call('POST', path, { originCluster: 'x' })).status, 400);
      assert.equal((await call('POST', path, {}, { authorization: 'Bearer x' })).status, 401);
      assert.equal((await call('POST', path, {}, { 'content-type': 'text/plain' })).status, 415);
      assert.equal((await call('POST', path, { label: 'x'.repeat(70_000) })).status, 413);
      await call('GET', `${path}/list`);
      assert.equal((await call('GET', `${path}/list?page=0`)).status, 400);
      await call('GET', `${path}/list_by_name?name=a`);
      assert.equal((await call('GET', `${path}/list_by_name`)).status, 400);
      const key = { 'idempotency-key': 'k' };
      await call('POST', path, { label: 'once' }, key);
      assert.equal((await call('POST', path, { label: 'twice' }, key)).status, 422);
      await call('PUT', `/api/v2/${kind}_token/${data.Id}`, { label: 'b' });
      await call('GET', `${path}/${data.Id}`);
      assert.equal((await call('GET', `${path}/999`)).status, 404);
      await call('PUT', `${path}/${data.Id}`, { isActive: false, allowedOrigins: ['a.example'] });
      assert.equal((await call('PUT', `${path}/${data.Id}`, {})).status, 400);
      await call('DELETE', `${path}/${data.Id}`);
      assert.equal((await call('DELETE', `${path}/${data.Id}`)).status, 404);
    }
    await call('GET', '/api/publish_token/active?streamId=main/keynote');
    await call('GET', '/api/publish_token/active/all');
    await call('PATCH', '/api/publish_token/disable', { tokenIds: [1, 999] });
    assert.equal((await call('PATCH', '/api/publish_token/disable', { tokenIds: [] })).status, 400);
    await call('POST', '/api/stream/stop', { streamId: 'main/keynote' });
    assert.equal((await call('POST', '/api/stream/stop', { streamId: 'other/keynote' })).status, 404);
    await call('POST', '/api/stream/stop/all');
    await call('GET', '/api/live');
    assert.equal((await call('POST', `/api/streams/main/sessions/${'0'.repeat(32)}/stop`)).status, 404);
    await call('POST', '/api/explain', { kind: 'publish', streamName: 'main' });
    assert.equal(
      (await call('POST', '/api/explain', { kind: 'publish', streamName: 'main', tokenId: 999 })).status,
      404,
    );
    await askDirector(server, 'publish', 'unknown');
    await call('GET', '/api/refusals');
    await call('GET', '/api/streams/main/sessions');
    assert.equal((await call('GET', '/api/streams/main/sessions?from=now')).status, 400);
    assert.equal((await call('GET', `/api/streams/main/sessions/${'0'.repeat(32)}`)).status, 404);
    assert.equal((await call('GET', '/api/audit?action=x')).status, 400);
    await call('GET', '/api/audit');
  });

  it('describes the responses of the director, the dashboard and the health check', async () => {
    const publish = { authorization: `Bearer ${await server.token('publish')}` };
    await call('POST', '/api/director/publish', { streamName: 'main' }, publish);
    assert.equal((await call('POST', '/api/director/publish', { streamName: 'other' }, publish)).status, 401);
    const view = { authorization: `Bearer ${await server.token('subscribe')}` };
    await call('POST', '/api/director/subscribe', { streamName: 'main' }, view);
    const none = { authorization: 'NoAuth' };
    const body = { streamName: 'main', streamAccountId: 'main' };
    assert.equal((await call('POST', '/api/director/subscribe', body, none)).status, 400);
    assert.equal((await call('POST', '/api/director/subscribe', {}, none)).status, 400);

    assert.equal((await call('GET', '/api/dashboard/session')).status, 401);
    await call('POST', '/api/dashboard/login', { code: await server.server.dashboard.createCode('main') });
    assert.equal((await call('POST', '/api/dashboard/login', { code: 'x' })).status, 401);
    assert.equal((await call('POST', '/api/dashboard/logout', {}, { 'sec-fetch-site': 'cross-site' })).status, 403);
    await call('POST', '/api/dashboard/logout');
    await call('GET', '/healthz');
  });

  it('describes the responses of WHIP and WHEP, whose refusals are plain text', async () => {
    const token = await server.token('publish');
    const callIngest = async (method: string, template: string, path: string, ask: Ask, expected: number) => {
      const { status, headers, text } = await askIngest(server, path, { ...ask, method });
      assert.equal(status, expected, text);
      const described = document.paths[template][method.toLowerCase()].responses[status];
      const code = headers.get('streamgate-code');
      if (code === null) return headers;
      assert.ok(described.headers['Streamgate-Code'].schema.enum.includes(code), `${method} ${template} ${code}`);
      assert.deepEqual(Object.keys(described.content), ['text/plain']);
      return headers;
    };
    const sdp = { 'content-type': 'application/sdp' };
    const offer = sdpOffer({ direction: 'sendonly' });
    const whip = (ask: Ask, expected: number, path = '/api/whip/main') =>
      callIngest('POST', '/api/whip/{streamName}', path, { token, headers: sdp, body: offer, ...ask }, expected);
    await whip({ body: 'x' }, 400);
    await whip({}, 400, '/api/whip/main?codec=x');
    await whip({ token: 'x' }, 401);
    await whip({ headers: { ...sdp, accept: 'image/png' } }, 406);
    await whip({ body: 'x'.repeat(70_000) }, 413);
    await whip({ headers: {} }, 415);
    const session = (await whip({}, 201)).get('location')!;
    await whip({}, 409);
    const template = '/api/sessions/{key}';
    await callIngest(
      'PATCH',
      template,
      session,
      { headers: { 'content-type': 'application/trickle-ice-sdpfrag' } },
      428,
    );
    await callIngest('DELETE', template, session, {}, 200);
    await callIngest('DELETE', template, session, {}, 404);

    const whep = '/api/whep/{accountId}/{streamName}';
    await callIngest('POST', whep, '/api/whep/main/main', { headers: sdp, body: sdpOffer() }, 409);
    const subscriber = { token: await server.token('subscribe'), headers: sdp, body: sdpOffer() };
    const watching = (await callIngest('POST', whep, '/api/whep/main/main', subscriber, 201)).get('location')!;
    await callIngest('POST', `${template}/events`, `${watching}/events`, {}, 201);
    await callIngest('GET', `${template}/events/{id}`, `${watching}/events/x`, {}, 404);
    const json = { 'content-type': 'application/json' };
    await callIngest(
      'POST',
      `${template}/layer`,
      `${watching}/layer`,
      { headers: json, body: '{"maxWidth":"x"}' },
      400,
    );
    await callIngest('DELETE', `${template}/layer`, `${watching}/layer`, {}, 200);
    await callIngest('DELETE', template, watching, {}, 200);
  });

  it('is sent compressed, and not again to those who have it', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${server.origin}/api/openapi.json`, { headers });
    const response = await ask({ 'accept-encoding': 'gzip' });
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    assert.ok(Number(response.headers.get('content-length')) < 100_000);
    const etag = response.headers.get('etag')!;
    // `fetch` would add no-cache, which asks for the whole document.
    const again = { 'accept-encoding': 'gzip', 'if-none-match': etag, 'cache-control': 'max-age=0' };
    assert.equal((await ask(again)).status, 304);
  });

  it('answers other methods with 405', async () => {
    const response = await fetch(`${server.origin}/api/openapi.json`, { method: 'POST' });
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET']);
  });

  // The last one: from then on, this address is refused.
  it('describes the response to an address that tried too many secrets', async () => {
    for (let turn = 0; turn < 10; turn += 1)
      await fetch(`${server.origin}/api/audit`, { headers: { authorization: 'Bearer x' } });
    assert.equal((await call('GET', '/api/audit', undefined, { authorization: 'Bearer x' })).status, 429);
  });
});

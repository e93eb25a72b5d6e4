import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { askDirector, streamServer, type TestServer } from '../../../support/stream-server.js';

interface ExplainedRule {
  readonly rule: string;
  readonly allowed: boolean;
  readonly reason: string | null;
  readonly looked_at: Record<string, unknown>;
}

describe('POST /api/explain', () => {
  const cleanup = new Cleanup();
  let server: TestServer;
  let secret: string;

  beforeEach(async () => {
    server = await streamServer(cleanup);
    secret = await server.server.secrets.create('main');
  });
  afterEach(() => cleanup.run());

  const call = async (method: string, path: string, body?: object, as = secret) => {
    const response = await fetch(server.origin + path, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const explain = async (body: object) =>
    (await call('POST', '/api/explain', { streamName: 'main', ...body })).body.data;
  const failing = (rules: readonly ExplainedRule[]) =>
    rules.filter(({ allowed }) => !allowed).map(({ rule, reason }) => [rule, reason]);
  const tokenOf = async (fields: object) => {
    const { body } = await call('POST', '/api/subscribe_token', { streams: [{ streamName: 'main' }], ...fields });
    return body.data;
  };

  it('returns the verdict of every rule in order, with the values it used', async () => {
    const { Id, Token } = await tokenOf({ allowedOrigins: ['a.example'], expires: 60 });
    server.clock.now += 61_000;
    const explanation = await explain({ kind: 'subscribe', tokenId: Id, origin: 'https://b.example', ip: '192.0.2.1' });
    assert.deepEqual(
      [explanation.allowed, explanation.reason, explanation.message],
      [false, 'token_expired', 'Unauthorized: Token expired'],
    );
    assert.deepEqual(failing(explanation.rules), [
      ['token-not-expired', 'token_expired'],
      ['origin-allowed', 'origin_not_allowed'],
    ]);
    assert.deepEqual(
      explanation.rules.map(({ rule }: ExplainedRule) => rule),
      [
        'token-present-if-required',
        'token-known',
        'token-of-kind',
        'token-active',
        'token-not-expired',
        'stream-name-permitted',
        'origin-allowed',
        'address-not-denied',
        'address-allowed',
        'country-allowed',
        'address-bound',
        'session-free',
        'account-not-full',
        'stream-live-or-token',
      ],
    );
    const { looked_at } = explanation.rules.find(({ rule }: ExplainedRule) => rule === 'origin-allowed');
    assert.match(JSON.stringify(looked_at), /b\.example.*a\.example|a\.example.*b\.example/);
    assert.ok(!JSON.stringify(explanation).includes(Token));
  });

  it('allows what the director admits, by value and by id of a token', async () => {
    const { Id, Token } = await tokenOf({});
    for (const named of [{ token: Token }, { tokenId: Id }]) {
      const explanation = await explain({ kind: 'subscribe', ...named });
      assert.deepEqual(
        [explanation.allowed, explanation.reason, explanation.message, failing(explanation.rules)],
        [true, null, null, []],
      );
    }
  });

  it('refuses what the director refuses, with the same reason', async () => {
    const token = await server.token('publish');
    const refused = await askDirector(server, 'subscribe', token);
    const explanation = await explain({ kind: 'subscribe', token });
    assert.deepEqual([explanation.reason, explanation.message], [refused.body.data.code, refused.body.data.message]);
  });

  it('binds no address and records no refusal', async () => {
    const { Id } = await tokenOf({ bindIpsOnUsage: 1 });
    assert.equal((await explain({ kind: 'subscribe', tokenId: Id, ip: '192.0.2.1' })).allowed, true);
    assert.equal((await explain({ kind: 'publish', tokenId: Id })).allowed, false);
    assert.deepEqual((await call('GET', `/api/subscribe_token/${Id}`)).body.data.boundIps, []);
    assert.equal((await call('GET', '/api/refusals')).body.total, 0);
  });

  it('explains a request without a token', async () => {
    assert.equal((await explain({ kind: 'subscribe' })).reason, 'stream_not_live');
    assert.equal((await explain({ kind: 'publish' })).reason, 'token_missing');
  });

  it('does not explain tokens of another account', async () => {
    await server.server.accounts.create('other');
    const theirs = await server.server.tokens.create(
      { accountId: 'other', kind: 'subscribe' },
      { label: '', streams: [{ streamName: 'main', isRegex: false }] },
    );
    const byId = await call('POST', '/api/explain', { kind: 'subscribe', streamName: 'main', tokenId: theirs.id });
    assert.deepEqual([byId.status, byId.body.data.code], [404, 'token_not_found']);
    assert.equal((await explain({ kind: 'subscribe', token: theirs.token })).reason, 'token_unknown');
  });

  it('refuses invalid requests', async () => {
    const { Id, Token } = await tokenOf({});
    for (const change of [
      { kind: 'watch' },
      { streamName: '' },
      { token: Token, tokenId: Id },
      { tokenId: 0 },
      { tokenId: 2 ** 53 },
      { ip: '127.1' },
      { ip: '10.0.0.0/8' },
      { more: 1 },
    ]) {
      const { status, body } = await call('POST', '/api/explain', { kind: 'subscribe', streamName: 'main', ...change });
      assert.deepEqual([status, body.data.code], [400, 'invalid_request'], JSON.stringify(change));
    }
    assert.equal((await call('POST', '/api/explain', { kind: 'subscribe', streamName: 'main' }, 'x')).status, 401);
  });

  it('is about requests that the refusal log records if they are refused', async () => {
    const { Id, Token } = await tokenOf({ allowedOrigins: ['a.example'] });
    await askDirector(server, 'subscribe', Token);
    const { data } = (await call('GET', `/api/refusals?tokenId=${Id}`)).body;
    const { kind, streamName, reason, address } = data[0];
    assert.deepEqual([kind, streamName, reason, address], ['subscribe', 'main', 'origin_not_allowed', '127.0.0.1']);
  });
});

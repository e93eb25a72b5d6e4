import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { authorize, retryAfterMs } from '../../src/client/authorize.js';
import { RejectedError, StreamError, UnreachableError } from '../../src/client/errors.js';
import { director, json } from '../support/client/director.js';

const grant = {
  jwt: 'a.b.c',
  urls: ['ws://127.0.0.1/ws'],
  iceServers: [],
  streamAccountId: 'acme',
  tokenExpiresIn: 3600,
};
const yes = json(200, { status: 'success', data: { ...grant, somethingNew: true } });
const forever = new AbortController().signal;

function fail(status: number, message: string, code?: string, headers?: Record<string, string>) {
  return json(status, { status: 'fail', data: { message, ...(code && { code }) } }, headers);
}

async function errorFor(t: TestContext, answer: Parameters<typeof director>[1]): Promise<unknown> {
  const { endpoint } = await director(t, answer);
  return authorize('subscribe', { endpoint, streamName: 'keynote' }, forever).then(
    () => assert.fail('it was let in'),
    (error: unknown) => error,
  );
}

describe('asking for leave', () => {
  it('sends the name, the account and the token as the wire has it, and takes a grant with fields it does not know', async (t) => {
    const { endpoint, seen } = await director(t, yes);
    const access = { endpoint: `${endpoint}/`, streamName: 'a/b', accountId: 'acme', token: 'sesame' };
    assert.deepEqual(await authorize('subscribe', access, forever), grant);
    assert.equal(seen[0]?.url, '/api/director/subscribe');
    assert.equal(seen[0]?.headers.authorization, 'Bearer sesame');
    assert.deepEqual(seen[0]?.body, { streamName: 'a/b', streamAccountId: 'acme' });
  });

  it('sends no Authorization without a token, and what a broadcaster says of himself', async (t) => {
    const { endpoint, seen } = await director(t, yes);
    await authorize('publish', { endpoint, streamName: 'keynote' }, forever, { sessionKey: 'key', sourceId: 'stage' });
    assert.equal(seen[0]?.url, '/api/director/publish');
    assert.equal(seen[0]?.headers.authorization, undefined);
    assert.deepEqual(seen[0]?.body, { streamName: 'keynote', sessionKey: 'key', sourceId: 'stage' });
  });

  it('reports a refusal by its code, and does not repeat it', async (t) => {
    const error = await errorFor(t, fail(401, 'Unauthorized: Token expired', 'token_expired'));
    assert.ok(error instanceof RejectedError);
    assert.deepEqual(
      [error.reason, error.message, error.retryable],
      ['token_expired', 'Unauthorized: Token expired', false],
    );
  });

  it('survives a code that it has never heard of', async (t) => {
    const error = await errorFor(t, fail(401, 'Not on Sundays', 'wrong_day'));
    assert.ok(error instanceof RejectedError);
    assert.deepEqual([error.reason, error.retryable], ['wrong_day', false]);
  });

  it('reads "not live" from the sentence of a server that sends no code', async (t) => {
    const error = await errorFor(t, fail(400, 'stream not being published'));
    assert.ok(error instanceof RejectedError);
    assert.equal(error.reason, 'stream_not_live');
  });

  it('comes back later when the service has too much to do, no sooner than it asks', async (t) => {
    const error = await errorFor(t, fail(503, 'too many viewers', 'busy', { 'retry-after': '4' }));
    assert.ok(error instanceof RejectedError);
    assert.deepEqual([error.retryable, error.retryAfterMs], [true, 4000]);
  });

  it('takes an error page of a proxy for a service in trouble', async (t) => {
    const error = await errorFor(t, (response) => response.writeHead(502).end('<h1>Bad gateway</h1>'));
    assert.ok(error instanceof UnreachableError);
  });

  for (const [what, status, body] of [
    ['a web page', 200, '<!doctype html>'],
    ['a missing page', 404, 'not found'],
    ['JSON of another kind', 200, '{"ok":true}'],
    ['a grant without an address', 200, JSON.stringify({ status: 'success', data: { ...grant, urls: [] } })],
  ] as const) {
    it(`gives up on ${what}`, async (t) => {
      const error = await errorFor(t, (response) => response.writeHead(status).end(body));
      assert.ok(error instanceof StreamError);
      assert.deepEqual([error.code, error.retryable], ['malformed_answer', false]);
    });
  }

  it('may be tried again where nothing answers, and never tells the token', async () => {
    const access = { endpoint: 'http://127.0.0.1:9', streamName: 'keynote', token: 'sesame' };
    await assert.rejects(authorize('subscribe', access, forever), (error: unknown) => {
      assert.ok(error instanceof UnreachableError && error.retryable);
      assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /sesame/);
      return true;
    });
  });
});

describe('Retry-After', () => {
  it('is seconds or a date', () => {
    assert.equal(retryAfterMs('3', 0), 3000);
    assert.equal(retryAfterMs('Thu, 01 Jan 1970 00:00:10 GMT', 4000), 6000);
  });

  it('is nothing when it is absent, past or unreadable, and never negative', () => {
    assert.equal(retryAfterMs(null, 0), 0);
    assert.equal(retryAfterMs('Thu, 01 Jan 1970 00:00:10 GMT', 60_000), 0);
    fc.assert(fc.property(fc.string(), (header) => retryAfterMs(header, 0) >= 0));
  });
});

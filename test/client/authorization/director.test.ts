import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { requestGrant, retryAfterMs, type RequestFormat } from '../../../src/client/authorization/director.js';
import { RejectedError, StreamError, UnreachableError } from '../../../src/client/errors.js';
import { director, json, type SeenRequest } from '../../support/client/director.js';

const grant = {
  jwt: 'a.b.c',
  urls: ['ws://127.0.0.1/ws'],
  iceServers: [],
  streamAccountId: 'acme',
  tokenExpiresIn: 3600,
  record: undefined,
};
const granted = json(200, { status: 'success', data: { ...grant, somethingNew: true } });
const forever = new AbortController().signal;
const unknown = (): RequestFormat => ({ isSimple: undefined });

function fail(status: number, message: string, code?: string, headers?: Record<string, string>) {
  return json(status, { status: 'fail', data: { message, ...(code && { code }) } }, headers);
}

async function errorFor(t: TestContext, answer: Parameters<typeof director>[1]): Promise<unknown> {
  const { endpoint } = await director(t, answer);
  return requestGrant('subscribe', { endpoint, streamName: 'keynote' }, forever, unknown()).then(
    () => assert.fail('there was no error'),
    (error: unknown) => error,
  );
}

describe('requestGrant', () => {
  it('sends name, account and token as plain text without a preflight, and accepts a grant with unknown fields', async (t) => {
    const { endpoint, seen } = await director(t, granted);
    const access = { endpoint: `${endpoint}/`, streamName: 'a/b', accountId: 'acme', token: 'sesame' };
    const { view, ...answer } = await requestGrant('subscribe', access, forever, unknown());
    assert.deepEqual([answer, view], [grant, undefined]);
    assert.equal(seen[0]?.url, '/api/director/subscribe');
    assert.equal(seen[0]?.headers['content-type'], 'text/plain;charset=UTF-8');
    assert.equal(seen[0]?.headers.authorization, undefined);
    assert.deepEqual(seen[0]?.body, { streamName: 'a/b', streamAccountId: 'acme', token: 'sesame' });
  });

  it('sends the extra fields, and leaves out an empty token', async (t) => {
    const { endpoint, seen } = await director(t, granted);
    const extra = { sessionKey: 'key', sourceId: 'stage' };
    await requestGrant('publish', { endpoint, streamName: 'keynote', token: '' }, forever, unknown(), extra);
    assert.equal(seen[0]?.url, '/api/director/publish');
    assert.deepEqual(seen[0]?.body, { streamName: 'keynote', sessionKey: 'key', sourceId: 'stage' });
  });

  it('sends a token that was pasted without the white space around it', async (t) => {
    const { endpoint, seen } = await director(t, granted);
    for (const isSimple of [true, false]) {
      await requestGrant('publish', { endpoint, streamName: 'a', token: ' sesame\n' }, forever, { isSimple });
    }
    assert.deepEqual(seen[0]?.body, { streamName: 'a', token: 'sesame' });
    assert.equal(seen[1]?.headers.authorization, 'Bearer sesame');
  });

  it('throws the code of a refusal, which is not retryable', async (t) => {
    const error = await errorFor(t, fail(401, 'Unauthorized: Token expired', 'token_expired'));
    assert.ok(error instanceof RejectedError);
    assert.deepEqual(
      [error.reason, error.message, error.retryable],
      ['token_expired', 'Unauthorized: Token expired', false],
    );
  });

  it('throws an unknown code as it is', async (t) => {
    const error = await errorFor(t, fail(401, 'Not on Sundays', 'wrong_day'));
    assert.ok(error instanceof RejectedError);
    assert.deepEqual([error.reason, error.retryable], ['wrong_day', false]);
  });

  it('recognises an offline stream by the sentence of a server that sends no code', async (t) => {
    const error = await errorFor(t, fail(400, 'stream not being published'));
    assert.ok(error instanceof RejectedError);
    assert.equal(error.reason, 'stream_not_live');
  });

  describe('to a server that does not read the simple format', () => {
    const access = { streamName: 'keynote', accountId: 'acme', token: 'sesame' };
    const isFull = ({ headers }: SeenRequest) =>
      headers['content-type'] === 'application/json' && headers.authorization === 'Bearer sesame';

    for (const [what, refusal] of [
      ['refuses the type', fail(415, 'The body must be JSON', 'not_json')],
      ['reads no body', fail(400, 'Validation errors')],
      ['finds no token', fail(401, 'Unauthorized: Invalid token')],
      ['treats the viewer as a guest', fail(400, 'stream not being published')],
      ['answers with a page', (response: ServerResponse) => void response.writeHead(400).end('<h1>Bad request</h1>')],
    ] as const) {
      it(`sends the request again in the full format where the server ${what}`, async (t) => {
        const { endpoint, seen } = await director(t, (response, request) =>
          (isFull(request) ? granted : refusal)(response),
        );
        const format = unknown();
        await requestGrant('subscribe', { ...access, endpoint }, forever, format, { view: { sdp: 'v=0' } });
        assert.equal(format.isSimple, false);
        await requestGrant('subscribe', { ...access, endpoint }, forever, format);
        assert.deepEqual(
          seen.map(({ headers }) => headers['content-type']),
          ['text/plain;charset=UTF-8', 'application/json', 'application/json'],
        );
        const { token: _token, view } = seen[1]!.body as Record<string, unknown>;
        assert.deepEqual([_token, view], [undefined, { sdp: 'v=0' }]);
      });
    }

    it('sends at most two requests', async (t) => {
      const { endpoint, seen } = await director(t, fail(401, 'Unauthorized: Invalid token'));
      await assert.rejects(requestGrant('subscribe', { ...access, endpoint }, forever, unknown()), RejectedError);
      assert.equal(seen.length, 2);
    });

    it('uses the full format for the next request where the browser hides the answer', async () => {
      const format = unknown();
      const unreachable = { ...access, endpoint: 'http://127.0.0.1:9' };
      await assert.rejects(requestGrant('subscribe', unreachable, forever, format), UnreachableError);
      assert.equal(format.isSimple, false);
    });
  });

  for (const [what, answer] of [
    ['a grant', granted],
    ['a refusal with a code', fail(401, 'Unauthorized: Token expired', 'token_expired')],
  ] as const) {
    it(`keeps the simple format after ${what}, whatever the next answers are`, async (t) => {
      let next: (response: ServerResponse) => void = answer;
      const { endpoint, seen } = await director(t, (response) => next(response));
      const format = unknown();
      const ask = () => requestGrant('subscribe', { endpoint, streamName: 'keynote' }, forever, format).catch(() => {});
      await ask();
      for (next of [fail(400, 'no'), (response: ServerResponse) => void response.destroy()]) await ask();
      assert.equal(format.isSimple, true);
      assert.equal(seen.length, 3);
    });
  }

  it('sends one request to a server that answers 429 or 502', async (t) => {
    for (const status of [429, 502]) {
      const { endpoint, seen } = await director(t, (response) => response.writeHead(status).end());
      const format = unknown();
      await assert.rejects(requestGrant('subscribe', { endpoint, streamName: 'keynote' }, forever, format));
      assert.deepEqual([seen.length, format.isSimple], [1, undefined]);
    }
  });

  it('waits as long as a busy server asks', async (t) => {
    const error = await errorFor(t, fail(503, 'too many viewers', 'busy', { 'retry-after': '4' }));
    assert.ok(error instanceof RejectedError);
    assert.deepEqual([error.retryable, error.retryAfterMs], [true, 4000]);
  });

  it('treats an error page of a proxy as an unreachable server', async (t) => {
    const error = await errorFor(t, (response) => response.writeHead(502).end('<h1>Bad gateway</h1>'));
    assert.ok(error instanceof UnreachableError);
  });

  for (const [what, status, body] of [
    ['a web page', 200, '<!doctype html>'],
    ['a missing page', 404, 'not found'],
    ['JSON of another kind', 200, '{"ok":true}'],
    ['a grant without an address', 200, JSON.stringify({ status: 'success', data: { ...grant, urls: [] } })],
  ] as const) {
    it(`throws malformed_answer for ${what}`, async (t) => {
      const error = await errorFor(t, (response) => response.writeHead(status).end(body));
      assert.ok(error instanceof StreamError);
      assert.deepEqual([error.code, error.retryable], ['malformed_answer', false]);
    });
  }

  it('throws malformed_answer for a web page in WebKit, where the error of response.json() is a DOMException', async (t) => {
    const page = new Response('<!doctype html>');
    t.mock.method(page, 'json', () => Promise.reject(new DOMException('not JSON', 'SyntaxError')));
    t.mock.method(globalThis, 'fetch', async () => page);
    const access = { endpoint: 'https://live.test', streamName: 'keynote' };
    await assert.rejects(requestGrant('subscribe', access, forever, unknown()), { code: 'malformed_answer' });
  });

  for (const [what, head, body] of [
    ['a grant', { 'content-length': '400' }, '{"status":"success","data":{"jwt":"a'],
    ['a grant in chunks', {}, '{"status":"success"'],
    ['its head', { 'content-length': '40' }, ''],
  ] as const) {
    it(`throws a retryable error where the answer breaks off after ${what}`, async (t) => {
      const error = await errorFor(t, (response) => {
        response.writeHead(200, head);
        response.flushHeaders();
        response.write(body || ' ', () => response.destroy());
      });
      assert.ok(error instanceof UnreachableError, String(error));
      assert.deepEqual([error.code, error.retryable], ['unreachable', true]);
    });
  }

  it('throws at once where the endpoint has no scheme, and names the endpoint', async () => {
    const access = { endpoint: 'live.example.com', streamName: 'keynote' };
    await assert.rejects(requestGrant('subscribe', access, forever, unknown()), {
      code: 'unexpected',
      message: 'Not an http(s) URL: live.example.com',
    });
  });

  it('throws a retryable error without the token where nothing answers', async () => {
    const access = { endpoint: 'http://127.0.0.1:9', streamName: 'keynote', token: 'sesame' };
    await assert.rejects(requestGrant('subscribe', access, forever, unknown()), (error: unknown) => {
      assert.ok(error instanceof UnreachableError && error.retryable);
      assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /sesame/);
      return true;
    });
  });
});

describe('Retry-After', () => {
  it('is read as seconds or as a date', () => {
    assert.equal(retryAfterMs('3', 0), 3000);
    assert.equal(retryAfterMs('Thu, 01 Jan 1970 00:00:10 GMT', 4000), 6000);
  });

  it('is 0 when it is absent, past or unreadable, and never negative', () => {
    assert.equal(retryAfterMs(null, 0), 0);
    assert.equal(retryAfterMs('Thu, 01 Jan 1970 00:00:10 GMT', 60_000), 0);
    fc.assert(fc.property(fc.string(), (header) => retryAfterMs(header, 0) >= 0));
  });
});

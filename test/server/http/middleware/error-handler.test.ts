import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { AccessDeniedError, ApiError, denialMessage, denialStatus } from '../../../../server/errors.js';
import { errorHandler } from '../../../../server/http/middleware/error-handler.js';
import { ruleRefusalCode } from '../../../../src/wire/director/refusal-code.js';
import express from 'express';
import { pino } from 'pino';
import { Cleanup } from '../../../support/cleanup.js';
import { ask, managementApp, type ManagementApp } from '../../../support/management-app.js';

describe('the error handler', () => {
  const cleanup = new Cleanup();
  let app: ManagementApp;

  beforeEach(async () => {
    app = await managementApp(cleanup);
  });
  afterEach(async () => {
    mock.restoreAll();
    await cleanup.run();
  });

  const list = () => ask(app, 'GET', '/api/publish_token/list');

  it('logs an internal error and sends the caller no details', async () => {
    mock.method(app.tokens, 'list', () => {
      throw new Error('disk on fire', { cause: new Error('a match') });
    });
    const { status, body, headers } = await list();
    assert.equal(status, 500);
    assert.deepEqual(body, {
      status: 'error',
      message: 'The server failed to answer this request',
      code: 'internal',
      requestId: headers.get('x-request-id'),
      data: null,
    });
    assert.match(app.log.text, /disk on fire/);
    assert.match(app.log.text, /a match/);
  });

  it('sends no header of the answer that it replaces', async () => {
    const errorOf = errorHandler(pino({ level: 'silent' }));
    const broken = express().use((_req, res, next) => {
      res.set({ 'content-type': 'video/mp4', etag: '"1"', 'content-length': '5', 'content-range': 'bytes 0-4/5' });
      res.set({ 'content-disposition': 'attachment', vary: 'origin' });
      next(new ApiError(503, 'recording_storage_unavailable', 'none'));
    });
    const server = broken.use(errorOf).listen(0, '127.0.0.1');
    cleanup.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { headers } = await fetch(`http://127.0.0.1:${port}/`);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    const left = ['etag', 'content-range', 'content-disposition', 'vary'].map((name) => headers.get(name));
    assert.deepEqual([left[1], left[2], left[3]], [null, null, 'origin']);
    assert.notEqual(left[0], '"1"');
  });

  describe('answers a browser that opens an address', () => {
    const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const open = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
      const response = await fetch(app.origin + path, { method, headers: { accept: ACCEPT, ...headers } });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };

    it('by a page with the same status and code, and a way back', async () => {
      const { status, headers, text } = await open('/api/publish_token/list');
      assert.deepEqual(
        [status, headers.get('content-type'), headers.get('cache-control'), headers.get('www-authenticate')],
        [401, 'text/html; charset=utf-8', 'no-store', 'Bearer'],
      );
      assert.match(text, /<h1>This cannot be opened<\/h1>/);
      assert.match(text, /<a href="\/" target="_top">Go to the start page<\/a>/);
      assert.match(text, /<a href="\/errors\/secret_missing"[^>]*>secret_missing<\/a>/);
      assert.ok(text.includes(headers.get('x-request-id')!));
    });

    it('without a script, and with no style but its own', async () => {
      const { headers, text } = await open('/api/publish_token/list');
      const style = createHash('sha256')
        .update(/<style>([^]*)<\/style>/.exec(text)![1]!)
        .digest('base64');
      assert.equal(
        headers.get('content-security-policy'),
        `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'`,
      );
    });

    it('in the language of its person, or of the address', async () => {
      const path = '/api/publish_token/list';
      const titleOf = async (query: string, language: string): Promise<string> =>
        /<title>(.*)<\/title>/.exec((await open(path + query, { 'accept-language': language })).text)![1]!;
      assert.equal(await titleOf('', 'nl-BE, de-AT;q=0.9, en;q=0.8'), 'Das lässt sich nicht öffnen');
      assert.equal(await titleOf('?lang=ja', 'de'), '開くことができません');
      assert.equal(await titleOf('?lang=xx', 'nl'), 'This cannot be opened');
      assert.match((await open(path, { 'accept-language': 'ar' })).text, /<html lang="ar" dir="rtl">/);
    });

    for (const [fault, title] of [
      [new ApiError(503, 'busy', 'later'), 'The server cannot answer now'],
      [new ApiError(429, 'too_many_calls', 'later'), 'The server cannot answer now'],
      [new ApiError(404, 'route_not_found', 'no'), 'There is nothing here'],
      [new ApiError(400, 'invalid_request', '<script>alert(1)</script>'), 'This cannot be opened'],
      [new Error('broken'), 'Something went wrong'],
    ] as const)
      it(`and says what they can do: ${title}, ${fault.message}`, async () => {
        mock.method(app.tokens, 'list', () => {
          throw fault;
        });
        const { text } = await open('/api/publish_token/list', { authorization: `Bearer ${app.secret}` });
        assert.ok(text.includes(`<h1>${title}</h1>`), text);
        assert.doesNotMatch(text, /<script/);
      });

    it('by JSON where it is a program, or a script of a page', async () => {
      for (const accept of ['*/*', 'application/json', 'application/json, text/html', 'image/avif,image/webp,*/*']) {
        const { headers, text } = await open('/api/publish_token/list', { accept });
        assert.match(headers.get('content-type')!, /^application\/json/);
        assert.equal(JSON.parse(text).data.code, 'secret_missing');
      }
      const { headers } = await open('/api/publish_token', {}, 'POST');
      assert.match(headers.get('content-type')!, /^application\/json/);
    });
  });

  it('sends the headers of a refusal', async () => {
    mock.method(app.tokens, 'list', () => {
      throw new AccessDeniedError('stream_in_use', { streamId: 'acme/main' });
    });
    const { status, body, headers } = await list();
    assert.deepEqual([status, headers.get('retry-after')], [409, '5']);
    assert.deepEqual(body, {
      status: 'fail',
      data: {
        streamId: 'acme/main',
        message: 'stream name is in use',
        code: 'stream_in_use',
        requestId: headers.get('x-request-id'),
      },
    });
  });

  it('names the way to present a credential where one is missing or wrong (RFC 9110 section 11.6.1)', async () => {
    const response = await fetch(`${app.origin}/api/publish_token/list`);
    assert.deepEqual([response.status, response.headers.get('www-authenticate')], [401, 'Bearer']);
    const { headers } = await list();
    assert.equal(headers.get('www-authenticate'), null);
  });

  it('keeps secrets, tokens and codes out of the log', async () => {
    const { body } = await ask(app, 'POST', '/api/publish_token', { label: 'private label' });
    const code = await app.dashboard.createCode('acme');
    const broken = () => {
      throw new Error('broken');
    };
    const faults = [mock.method(app.secrets, 'verify', broken), mock.method(app.dashboard, 'login', broken)];
    await ask(app, 'POST', '/api/dashboard/login', { code });
    await ask(app, 'GET', `/api/publish_token/list?token=${body.data.Token}`);
    await ask(app, 'POST', '/api/publish_token', `{"label":"private label", ${body.data.Token}`);
    for (const fault of faults) {
      assert.ok(fault.mock.callCount() > 0);
      fault.mock.restore();
    }
    await ask(app, 'POST', '/api/publish_token', `{"label":"private label", ${body.data.Token}`);

    assert.match(app.log.text, /broken/);
    for (const secret of [app.secret, body.data.Token, code, 'private label']) {
      assert.ok(!app.log.text.includes(secret));
    }
  });
});

describe('a refusal by a rule', () => {
  const WORDS = {
    token_missing: [401, /^Unauthorized: Token required$/],
    token_unknown: [401, /^Unauthorized: Invalid token/],
    token_wrong_kind: [401, /^Unauthorized: Invalid token/],
    token_disabled: [401, /^Unauthorized: Token disabled$/],
    token_expired: [401, /^Unauthorized: Token expired$/],
    stream_not_permitted: [401, /StreamName is not valid for token/],
    stream_not_live: [400, /^stream not being published$/],
    stream_in_use: [409, /in use/],
    origin_not_allowed: [401, /Unauthorized: Origin not allowed/],
    address_denied: [401, /^Unauthorized: IP Address denied$/],
    address_not_allowed: [401, /Unauthorized: IP Address not allowed/],
    country_not_allowed: [401, /Unauthorized: Country not allowed/],
    address_not_bound: [401, /Unauthorized: IP Address not allowed/],
    token_full: [409, /maximum number of viewers/],
    account_full: [409, /as many sessions as the operator permits/],
  } as const;

  for (const word of ruleRefusalCode.options) {
    it(`for ${word} has the status and the message that clients depend on`, () => {
      assert.equal(denialStatus(word), WORDS[word][0]);
      assert.match(denialMessage(word), WORDS[word][1]);
    });
  }
});

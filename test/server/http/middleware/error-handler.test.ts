import assert from 'node:assert/strict';
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

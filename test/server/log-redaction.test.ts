import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, describe, it } from 'node:test';
import express from 'express';
import fc from 'fast-check';
import { pino } from 'pino';
import { endpoints } from '../../server/http/endpoints/endpoints.js';
import { errorHandler } from '../../server/http/middleware/error-handler.js';
import { logRedaction, redacted } from '../../server/log-redaction.js';
import { newSecretValue } from '../../server/accounts/secret-value.js';
import { Cleanup } from '../support/cleanup.js';

const TOKEN = 'ab12'.repeat(16);
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlLW9mLXRoaXM';
const SESSION_KEY = 'bD9_kU-0aZ3fGq7xR1sT5vW8yB2cE4hJ';
const SEGMENT_KEY = 'kQ3-9dLm_2xA7sVb';

/** Parameters of paths that admit whoever knows them, and a value of each. */
const CREDENTIALS: Readonly<Record<string, string>> = { pass: JWT, key: SESSION_KEY };
const QUERY = { token: TOKEN, jwt: JWT, signature: SEGMENT_KEY, 'X-Amz-Signature': 'c0ffee', code: SESSION_KEY };

describe('the log', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  function logger(options: object = {}) {
    const log = { text: '' };
    const destination = new Writable({
      write(chunk, _encoding, done) {
        log.text += String(chunk);
        done();
      },
    });
    return { log, pino: pino({ level: 'trace', ...options }, destination) };
  }

  const pathOf = (template: string): string =>
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => CREDENTIALS[name] ?? 'x');
  const secrets = [...Object.values(CREDENTIALS), ...Object.values(QUERY)];

  it('has no credential of a request that failed, of any endpoint, with the logger of another application', async () => {
    const { log, pino: own } = logger();
    const app = express()
      .use((req, _res, next) => {
        const cause = new Error(`no answer from https://s3.example/bucket${req.originalUrl}`);
        next(new Error(`${req.method} ${req.originalUrl} with ${req.get('authorization')} failed`, { cause }));
      })
      .use(errorHandler(own));
    const server = app.listen(0, '127.0.0.1');
    cleanup.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const { method, path } of endpoints) {
      const url = `http://127.0.0.1:${port}${pathOf(path)}?${new URLSearchParams(QUERY)}`;
      const { status } = await fetch(url, {
        method: method.toUpperCase(),
        headers: { authorization: `Bearer ${JWT}` },
      });
      assert.equal(status, 500);
    }
    assert.match(log.text, /a request failed/);
    assert.ok(log.text.includes('/api/rewind/x/[redacted]/x'), 'the rest of the path is there');
    for (const secret of secrets) {
      const at = log.text.indexOf(secret);
      assert.equal(at, -1, log.text.slice(Math.max(0, at - 100), at + 20));
    }
  });

  it('has no credential in a field, an error or its cause, wherever it is logged', () => {
    const { log, pino: own } = logger(logRedaction);
    const values = [newSecretValue('sg_'), newSecretValue('sgk_'), newSecretValue(), TOKEN, JWT];
    const texts = [
      ...values,
      `https://live.example/dashboard#code=${values[2]}`,
      `GET /api/sessions/${SESSION_KEY}/events/1`,
      `GET /api/segments/rec/3/${SEGMENT_KEY}/a.m4s`,
      `https://s3.example/b/k?X-Amz-Credential=a%2Fb&X-Amz-Signature=${SEGMENT_KEY}`,
      `postgres://user:${SEGMENT_KEY}@db.example/streamgate`,
      `streamgate_session=${values[2]}; other`,
      `Authorization: Bearer ${SESSION_KEY}`,
    ];
    for (const text of texts) {
      own.warn({ err: new Error(text, { cause: new Error(text) }), url: text, headers: { cookie: text } }, text);
    }
    for (const line of log.text.trim().split('\n')) JSON.parse(line);
    for (const secret of [...values, SESSION_KEY, SEGMENT_KEY]) assert.ok(!log.text.includes(secret), secret);
  });

  it('says the rest', () => {
    for (const text of [
      'the folder /data/recordings cannot be used: is it there?',
      'session 0123456789abcdef0123456789abcdef of acme/main, request 123e4567-e89b-12d3-a456-426614174000',
      'at Server.<anonymous> (file:///srv/node_modules/@streamgate/server/dist/http/rewind/rewind-routes.js:12:3)',
    ]) {
      assert.equal(redacted(text), text);
    }
  });

  it('stays JSON, and takes time in proportion to its length', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (value, text) => {
        const line = JSON.stringify({ value: String(JSON.stringify(value)), text, path: `/a?${text}` });
        JSON.parse(redacted(line));
      }),
    );
    for (const part of ['/', '/a?', 'eyJ', 'Bearer ', '://a', 'aA1-', 'ab12', '/api/sessions/', '#code=', '.']) {
      const began = process.cpuUsage();
      redacted(part.repeat(16_000));
      const { user, system } = process.cpuUsage(began);
      assert.ok(user + system < 500_000, `${part}: ${user + system} µs`);
    }
  });
});

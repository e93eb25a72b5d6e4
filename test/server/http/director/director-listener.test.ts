import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { Cleanup } from '../../../support/cleanup.js';
import { askDirector, streamServer, type TestServer } from '../../../support/stream-server.js';

type Sent = { readonly headers?: Record<string, string>; readonly body: string | Buffer };

const WANTED = '{"streamName":"main","streamAccountId":"main"}';

describe('the director without Express', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let mountedPort: number;

  beforeEach(async () => {
    app = await streamServer(cleanup);
    // Mounted in another app, every request goes through Express.
    const theirs = express().disable('etag').use(app.server.router);
    const server = createServer(theirs);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.after(() => {
      server.close();
      server.closeAllConnections();
    });
    mountedPort = (server.address() as AddressInfo).port;
  });
  afterEach(() => cleanup.run());

  /** The response without the parts that differ in each call or on each port. */
  const ask = async (port: number, { headers, body }: Sent) => {
    const req = request({
      port,
      host: '127.0.0.1',
      path: '/api/director/subscribe',
      method: 'POST',
      headers: { 'content-type': 'application/json', host: 'video.example', ...headers },
    });
    req.end(body);
    const [res] = await once(req, 'response');
    const answer = (await text(res)).replaceAll(/"(jwt|requestId)":"[^"]+"/g, '"$1":""');
    const {
      date,
      'x-request-id': requestId,
      'content-length': _length,
      'x-powered-by': _express,
      ...others
    } = res.headers;
    assert.ok(date && requestId);
    return { status: res.statusCode, headers: others, answer };
  };

  const bodies: [what: string, sent: Sent, status: number][] = [
    ['a body as clients send it', { body: WANTED }, 200],
    ['a charset in the type', { headers: { 'content-type': 'application/json; charset=utf-8' }, body: WANTED }, 200],
    ['a byte order mark', { body: `\uFEFF${WANTED}` }, 200],
    ['no Content-Length', { headers: { 'transfer-encoding': 'chunked' }, body: WANTED }, 200],
    ['a compressed body', { headers: { 'content-encoding': 'gzip' }, body: gzipSync(WANTED) }, 200],
    ['UTF-16', { headers: { 'content-type': 'application/json; charset=utf-16le' }, body: toUtf16(WANTED) }, 200],
    ['an unknown charset', { headers: { 'content-type': 'application/json; charset=x' }, body: WANTED }, 415],
    ['another type', { headers: { 'content-type': 'text/html' }, body: WANTED }, 415],
    ['a type that needs no preflight', { headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: WANTED }, 200],
    ['that type in UTF-16', { headers: { 'content-type': 'text/plain;charset=utf-16le' }, body: toUtf16(WANTED) }, 200],
    ['that type, and no JSON', { headers: { 'content-type': 'text/plain' }, body: 'streamName=main' }, 400],
    ['two tokens', { body: '{"streamName":"main","token":"sesame"}' }, 400],
    ['a list', { body: '[]' }, 400],
    ['a word', { body: '"main"' }, 400],
    ['null', { body: 'null' }, 400],
    ['half a body', { body: WANTED.slice(0, 20) }, 400],
    ['no body', { body: '' }, 400],
    ['a name that is a number', { body: '{"streamName":1}' }, 400],
    ['too much', { body: JSON.stringify({ streamName: 'main', more: 'x'.repeat(65_536) }) }, 413],
    ['an unknown token', { headers: { authorization: `Bearer ${'f'.repeat(64)}` }, body: WANTED }, 401],
  ];
  for (const [what, { headers, body }, status] of bodies) {
    it(`responds as the Express route does: ${what}`, async () => {
      const authorization = `Bearer ${await app.token('subscribe')}`;
      const sent = { headers: { authorization, ...headers }, body };
      const short = await ask(app.port, sent);
      assert.equal(short.status, status);
      assert.deepEqual(short, await ask(mountedPort, sent));
    });
  }

  it('survives clients that disconnect in the middle of a body', async () => {
    const socket = connect(app.port, '127.0.0.1');
    socket.end(
      'POST /api/director/subscribe HTTP/1.1\r\nhost: video.example\r\ncontent-type: application/json\r\n' +
        `content-length: ${WANTED.length}\r\n\r\n${WANTED.slice(0, 20)}`,
    );
    socket.resume();
    await once(socket, 'close');
    assert.equal((await askDirector(app, 'subscribe', await app.token('subscribe'))).status, 200);
    assert.doesNotMatch(app.log.text, /a request failed/);
  });
});

function toUtf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

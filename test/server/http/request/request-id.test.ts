import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { startingApp } from '../../../../server/http/starting-app.js';
import { requestIdentifier } from '../../../../server/http/request/request-id.js';
import { HttpListener } from '../../../../server/http-listener.js';
import { Cleanup } from '../../../support/cleanup.js';
import { websocketSessions } from '../../../support/websocket-sessions.js';
import { askDirector, streamServer, type TestServer } from '../../../support/stream-server.js';

const cleanup = new Cleanup();
after(() => cleanup.run());
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const TRUSTED = { TRUSTED_PROXIES: '127.0.0.1' };
const entriesOf = ({ log }: TestServer, msg: string): ReturnType<typeof JSON.parse>[] =>
  log.text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter((entry) => entry.msg === msg);

describe('the id of a request', () => {
  it('is in header and body of a refusal by the director, and in the log', async () => {
    const app = await streamServer(cleanup);
    const { headers, body } = await askDirector(app, 'subscribe', 'unknown');
    const id = headers.get('x-request-id')!;
    assert.match(id, UUID);
    assert.equal(body.data.requestId, id);
    assert.match(headers.get('access-control-expose-headers')!, /x-request-id/);
    const [entry] = entriesOf(app, 'a request was refused');
    assert.deepEqual([entry.request, entry.status, entry.code], [id, 401, 'token_unknown']);
  });

  it('is another one for each request, and is sent with grants and every other response', async () => {
    const app = await streamServer(cleanup);
    const token = await app.token('publish');
    const responses = [
      await askDirector(app, 'publish', token),
      await askDirector(app, 'publish', token),
      await fetch(`${app.origin}/healthz`),
      await fetch(`${app.origin}/nothing-here`),
      await fetch(`${app.origin}/api/whip/main`, { method: 'OPTIONS' }),
    ];
    const ids = responses.map(({ headers }) => headers.get('x-request-id')!);
    for (const id of ids) assert.match(id, UUID);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('is in the header of a refusal in plain text, which pages of every origin may read', async () => {
    const app = await streamServer(cleanup);
    const response = await fetch(`${app.origin}/api/whep/main/main`, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp', origin: 'https://player.example' },
      body: 'v=0',
    });
    assert.equal(response.headers.get('streamgate-code'), 'stream_not_live');
    assert.match(response.headers.get('x-request-id')!, UUID);
    assert.match(response.headers.get('access-control-expose-headers')!, /x-request-id/);
    const [entry] = entriesOf(app, 'a request was refused');
    assert.equal(entry.request, response.headers.get('x-request-id'));
  });

  it('is in header and body of a websocket that is refused', async () => {
    const app = await streamServer(cleanup);
    const socket = new WebSocket(`ws://127.0.0.1:${app.port}/ws/v2/sub/${'0'.repeat(32)}?token=x`);
    socket.on('error', () => {});
    const [, response] = await once(socket, 'unexpected-response');
    let text = '';
    for await (const chunk of response) text += chunk;
    const { data } = JSON.parse(text);
    assert.match(data.requestId, UUID);
    assert.equal(response.headers['x-request-id'], data.requestId);
    const [entry] = entriesOf(app, 'a request was refused');
    assert.deepEqual([entry.request, entry.code], [data.requestId, data.code]);
  });

  it('is in the log of the session that the request opened', async () => {
    const app = await streamServer(cleanup);
    await websocketSessions(() => app).publish();
    const [entry] = entriesOf(app, 'session opened');
    assert.match(entry.request, UUID);
  });

  it('is that of a trusted proxy', async () => {
    const app = await streamServer(cleanup, TRUSTED);
    const id = randomUUID().replaceAll('-', '');
    const response = await fetch(`${app.origin}/api/live`, { headers: { 'x-request-id': id } });
    assert.equal(response.headers.get('x-request-id'), id);
    assert.equal((await response.json()).data.requestId, id);
  });

  it('is not that of a client, nor of a proxy that sends something malformed', async () => {
    const untrusted = await streamServer(cleanup, { TRUSTED_PROXIES: '192.0.2.1' });
    const sent = randomUUID();
    const response = await fetch(`${untrusted.origin}/healthz`, { headers: { 'x-request-id': sent } });
    assert.match(response.headers.get('x-request-id')!, UUID);
    assert.notEqual(response.headers.get('x-request-id'), sent);
    const trusted = await streamServer(cleanup, TRUSTED);
    for (const malformed of [
      '',
      'short',
      'a'.repeat(129),
      'with a space',
      'quote"quote',
      '{"a":1,"b":2}',
      'ümlaute!',
    ]) {
      const answer = await fetch(`${trusted.origin}/healthz`, { headers: { 'x-request-id': malformed } });
      assert.match(answer.headers.get('x-request-id')!, UUID, malformed);
    }
  });

  it('is sent while the server waits for its database', async () => {
    const listener = new HttpListener();
    cleanup.after(() => listener.close());
    const app = startingApp(
      new Date(0),
      requestIdentifier(() => false),
    );
    const signalling = { attach() {} };
    const { port } = await listener.listen({ host: '127.0.0.1', port: 0, app, certificates: undefined, signalling });
    const response = await fetch(`http://127.0.0.1:${port}/healthz`);
    assert.match(response.headers.get('x-request-id')!, UUID);
    assert.equal((await response.json()).data.requestId, response.headers.get('x-request-id'));
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { Cleanup } from '../../support/cleanup.js';
import { streamServer } from '../../support/stream-server.js';

describe('a websocket that comes while the server stops', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('is refused, in an app that goes on', async () => {
    const { server } = await streamServer(cleanup);
    const app = createServer();
    server.attach(app);
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    cleanup.after(() => void app.close().closeAllConnections());
    const { port } = app.address() as AddressInfo;
    await server.close();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/v2/sub`);
    socket.on('error', () => {});
    cleanup.after(() => socket.terminate());
    const status = await new Promise((resolve, reject) => {
      socket.on('open', () => reject(new Error('the websocket was opened')));
      socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
    });
    assert.equal(status, 503);
  });
});

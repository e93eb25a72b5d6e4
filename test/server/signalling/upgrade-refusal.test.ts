import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { streamServer, type TestServer } from '../../support/stream-server.js';

/** The client never closes its end, like a client that lost its network. */
describe('a refused upgrade', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  const ask = async (path: string): Promise<{ socket: Socket; text: () => string }> => {
    const socket = connect({ port: app.port, host: '127.0.0.1', allowHalfOpen: true });
    cleanup.after(() => void socket.destroy());
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    await once(socket, 'connect');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    return { socket, text: () => text };
  };

  const paths: [what: string, path: string, status: number][] = [
    ['another path', '/ws/v3', 404],
    ['an invalid grant', `/ws/v2/sub/${'0'.repeat(32)}?token=none`, 401],
  ];
  for (const [what, path, status] of paths) {
    it(`for ${what} is answered, and the connection is closed on both ends`, async () => {
      const { socket, text } = await ask(path);
      await once(socket, 'end');
      assert.match(text(), new RegExp(`^HTTP/1.1 ${status} `));
      // A half-closed connection would accept this data. A closed one is reset.
      const closed = new Promise((resolve) => socket.once('close', resolve));
      const writing = setInterval(() => socket.write('more'), 10);
      await closed.finally(() => clearInterval(writing));
    });
  }
});

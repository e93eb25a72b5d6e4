import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { followFaults } from '../../server/faults/fault.js';
import { HttpListener } from '../../server/http-listener.js';
import { Cleanup } from '../support/cleanup.js';

describe('HttpListener', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const listening = async () => {
    const listener = new HttpListener();
    let server: Server | undefined;
    const { port } = await listener.listen({
      host: '127.0.0.1',
      port: 0,
      app: (_req, res) => res.end('hello'),
      certificates: undefined,
      signalling: { attach: (attached) => void (server = attached) },
    });
    cleanup.after(() => listener.close());
    return { listener, server: server!, port };
  };

  it('closes although an upgrade was never answered', async () => {
    const { listener, server, port } = await listening();
    const upgrading = once(server, 'upgrade');
    const socket = connect(port, '127.0.0.1');
    cleanup.after(() => socket.destroy());
    const closed = once(socket, 'close');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await upgrading;
    await listener.close();
    await closed;
  });

  it('goes on when a connection cannot be accepted, and tells it', async () => {
    const { server, port } = await listening();
    const faults: string[] = [];
    cleanup.after(followFaults(({ part, error }) => faults.push(`${part} ${error}`)));
    server.emit('error', new Error('accept EMFILE'));
    assert.deepEqual(faults, ['http Error: accept EMFILE']);
    assert.equal(await (await fetch(`http://127.0.0.1:${port}`)).text(), 'hello');
  });
});

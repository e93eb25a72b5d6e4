import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';
import { SignallingConnection } from '../../../server/signalling/signalling-connection.js';
import type { ClientEvent } from '../../../server/streams/stream-event.js';
import { Cleanup } from '../../support/cleanup.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const LARGE: ClientEvent = { seq: 1, name: 'migrate', data: { streamId: streamIdOf('acme', 'x'.repeat(100_000)) } };
const SMALL: ClientEvent = { seq: 2, name: 'inactive', data: { streamId: streamIdOf('acme', 'main'), sourceId: null } };

describe('SignallingConnection', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const connected = async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    cleanup.after(() => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    });
    await once(server, 'listening');
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [[socket]] = await Promise.all([once(server, 'connection'), once(client, 'open')]);
    return { client, socket: socket as WebSocket, connection: new SignallingConnection(socket) };
  };

  it('terminates a client that does not read, and buffers little for it', async () => {
    const { client, socket, connection } = await connected();
    client.pause();
    let most = 0;
    while (socket.readyState === WebSocket.OPEN) {
      connection.send(LARGE);
      most = Math.max(most, socket.bufferedAmount);
      await nextTurn();
    }
    assert.ok(most < 1_200_000, `${most} bytes were buffered`);
  });

  it('does nothing after the client has left', async () => {
    const { client, socket, connection } = await connected();
    client.terminate();
    await once(socket, 'close');
    connection.send(SMALL);
    connection.sendFrame('{}');
    connection.stop({ streamId: streamIdOf('acme', 'main'), code: 'idle', message: 'gone', closeCode: 4005, seq: 3 });
  });
});

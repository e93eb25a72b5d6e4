import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, it } from 'node:test';
import { limitPipelines } from '../../server/pipelined-requests.js';
import { Cleanup } from '../support/cleanup.js';

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

describe('requests that are sent before the one before is answered', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  async function open(respond: (response: ServerResponse) => void) {
    let handled = 0;
    const server = createServer(
      limitPipelines((_request, response) => {
        handled += 1;
        respond(response);
      }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.after(() => void server.close());
    cleanup.after(() => server.closeAllConnections());
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    cleanup.after(() => socket.destroy());
    socket.on('error', () => {});
    return { socket, handled: () => handled };
  }

  it('are answered if they are few', async () => {
    const { socket } = await open((response) => response.end('done'));
    const received = text(socket);
    socket.write(GET.repeat(3) + GET.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
    assert.equal((await received).match(/HTTP\/1\.1 200 OK/g)?.length, 4);
  });

  it('close the connection if they are many, and nothing is done for the rest', async () => {
    const { socket, handled } = await open((response) => response.end('done'));
    socket.resume().write(GET.repeat(1_500));
    await once(socket, 'close');
    assert.equal(handled(), 4);
  });

  it('are counted anew when they are answered', async () => {
    const { socket, handled } = await open((response) => response.end('done'));
    for (let turn = 0; turn < 10; turn += 1) {
      socket.write(GET);
      await once(socket, 'data');
    }
    assert.equal(handled(), 10);
  });
});

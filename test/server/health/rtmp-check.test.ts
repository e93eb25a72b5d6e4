import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { rtmpCheck } from '../../../server/health/rtmp-check.js';
import { Cleanup } from '../../support/cleanup.js';
import { freePort } from '../../support/free-port.js';
import { streamServer } from '../../support/stream-server.js';

describe('the check of RTMP', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const listener = async (onSocket: (socket: Socket) => void): Promise<number> => {
    const server = createServer(onSocket);
    cleanup.after(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const findingAt = (port: number) => rtmpCheck({ host: undefined, port }).check();

  it('finds nothing where the server answers the handshake', async () => {
    const { server } = await streamServer(cleanup, { RTMP_PORT: '0' });
    assert.equal(await findingAt(server.rtmpPort!), undefined);
  });

  for (const [what, port] of [
    ['a closed port', () => freePort()],
    ['a listener that ends connections', () => listener((socket) => socket.destroy())],
    ['another protocol', () => listener((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
  ] as const) {
    it(`finds ${what}`, async () => {
      const finding = await findingAt(await port());
      assert.equal(finding?.code, 'rtmp_unavailable');
    });
  }
});

import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { loopbackAddresses } from '../../../../../server/media/embedded/transport/ice-candidates.js';
import { availableUdpPort } from '../../../../../server/media/embedded/transport/udp-port.js';

async function taken(address: string): Promise<Socket> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.bind({ port: 0, address, exclusive: true });
  await once(socket, 'listening');
  return socket;
}

describe('the UDP port for media', () => {
  it('is any free one for 0, and the given one otherwise', async () => {
    const port = await availableUdpPort(undefined, 0);
    assert.ok(port > 0);
    assert.equal(await availableUdpPort(undefined, port), port);
  });

  for (const address of loopbackAddresses()) {
    it(`is refused if it is in use on ${address}, also for all addresses`, async (t) => {
      const socket = await taken(address);
      t.after(() => socket.close());
      const { port } = socket.address();
      await assert.rejects(availableUdpPort(address, port), {
        message: new RegExp(`${port}: the port is in use; set MEDIA_UDP_PORT`),
      });
      await assert.rejects(availableUdpPort(undefined, port), {
        message: new RegExp(`${port}: the port is in use; set MEDIA_UDP_PORT`),
      });
    });
  }

  it('is refused on an address that this machine does not have', async () => {
    await assert.rejects(availableUdpPort('192.0.2.254', 0), /cannot listen for media on 192\.0\.2\.254, UDP port 0: /);
    await assert.rejects(
      availableUdpPort('2001:db8::254', 0),
      /cannot listen for media on 2001:db8::254, UDP port 0: /,
    );
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { it } from 'node:test';
import { RelayConnection } from '../../../../../server/media/embedded/relay/relay-connection.js';
import { createSocketDirectory } from '../../../../../server/media/embedded/relay/socket-directory.js';
import { until } from '../../../../support/media/until.js';

const MAX_WAIT_MS = 50;
const PACKET = Buffer.alloc(200);

it('a connection can be used again after a stall, however little waited for it', async (t) => {
  const folder = await createSocketDirectory();
  const server = createServer().listen(folder.newPath());
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const socket = connect(String(server.address()));
  const [reader] = (await accepted) as [Socket];
  t.after(async () => {
    socket.destroy();
    reader.destroy();
    server.close();
    await folder.remove();
  });
  let drains = 0;
  const connection = new RelayConnection(socket, {
    onMessage() {},
    onPacket() {},
    onDrain: () => void drains++,
    onClosed() {},
  });

  let sequence = 0;
  const send = () =>
    connection.sendPacket(
      1,
      0,
      { sequence: ++sequence, packet: PACKET, arrivedAt: performance.now() },
      { maxWaitMs: MAX_WAIT_MS },
    );
  await until('the reader is behind', () => {
    let isSent = true;
    for (let count = 0; count < 10; count++) isSent &&= send();
    return !isSent;
  });
  assert.ok(socket.writableLength < socket.writableHighWaterMark, `${socket.writableLength} bytes wait`);
  reader.resume();
  await until('the connection can be used again', () => drains === 1);
  assert.equal(send(), true);
});

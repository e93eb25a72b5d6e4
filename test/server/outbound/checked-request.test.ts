import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { requestChecked } from '../../../server/outbound/checked-request.js';
import { TargetAddresses } from '../../../server/outbound/target-addresses.js';
import { Cleanup } from '../../support/cleanup.js';

describe('a request to an address that an account chose', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  /** Sends these bytes for every request, and keeps the connection open. */
  async function receiver(answer: string): Promise<URL> {
    const server = createServer((socket) => {
      cleanup.after(() => socket.destroy());
      socket.on('error', () => {}).once('data', () => socket.write(answer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.after(() => server.close());
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }

  const post = (target: URL) =>
    requestChecked(target, {
      method: 'POST',
      headers: {},
      body: '{}',
      addresses: new TargetAddresses(['127.0.0.1']),
      mostAnswerBytes: 1_024,
      signal: AbortSignal.timeout(60_000),
    });

  it('fails at once if the receiver speaks another protocol from then on', { timeout: 10_000 }, async () => {
    const target = await receiver('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    await assert.rejects(post(target), /without an answer/);
  });

  it('has the status and the body of an answer', async () => {
    const target = await receiver('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nabcde');
    const { status, body } = await post(target);
    assert.deepEqual([status, await body], [200, 'abcde']);
  });
});

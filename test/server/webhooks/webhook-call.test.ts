import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { nameLookup, NameUnknownError } from '../../../server/outbound/name-lookup.js';
import { TargetAddresses } from '../../../server/outbound/target-addresses.js';
import { callWebhook } from '../../../server/webhooks/webhook-call.js';
import { Cleanup } from '../../support/cleanup.js';
import { nameServer } from '../../support/name-server.js';
import { webhookReceiver } from '../../support/webhook-receiver.js';

describe('a call of a webhook', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const loopback = new TargetAddresses(['127.0.0.1']);
  const call = async (
    url: string,
    { addresses = loopback, timeoutMs = 5_000, closing = new AbortController() } = {},
  ) => {
    const message = { url, body: '{"é":1}', headers: { 'webhook-id': 'msg_1' } };
    const { status, fault } = await callWebhook(message, { addresses, timeoutMs, now: () => 1 }, closing.signal);
    return { status, fault };
  };

  it('posts the body, and succeeds with 2xx', async () => {
    const receiver = await webhookReceiver(cleanup);
    assert.deepEqual(await call(`${receiver.url}?a=b`), { status: 204, fault: null });
    const [{ body, headers, path }] = receiver.calls as [(typeof receiver.calls)[0]];
    assert.equal(body, '{"é":1}');
    assert.equal(path, '/hooks?a=b');
    assert.deepEqual([headers['content-type'], headers['webhook-id']], ['application/json', 'msg_1']);
  });

  for (const status of [400, 410, 500, 503]) {
    it(`fails with ${status}`, async () => {
      const receiver = await webhookReceiver(cleanup, (response) => response.writeHead(status).end('no'));
      assert.deepEqual(await call(receiver.url), { status, fault: 'status' });
    });
  }

  it('follows no redirect, neither to the metadata of a cloud nor elsewhere', async () => {
    const other = await webhookReceiver(cleanup);
    for (const location of ['http://169.254.169.254/latest/meta-data/', other.url]) {
      const receiver = await webhookReceiver(cleanup, (response) => response.writeHead(307, { location }).end());
      assert.deepEqual(await call(receiver.url), { status: 307, fault: 'redirected' });
    }
    assert.equal(other.connections(), 0);
  });

  it('times out if the receiver takes the call and never answers', async () => {
    const receiver = await webhookReceiver(cleanup, () => {});
    assert.deepEqual(await call(receiver.url, { timeoutMs: 100 }), { status: null, fault: 'timed_out' });
  });

  it('times out if the name is looked up for ever', async () => {
    const nameServers = [(await nameServer(cleanup, undefined)).address];
    const addresses = new TargetAddresses([], nameLookup({ nameServers }));
    const result = await call('http://receiver.example/', { addresses, timeoutMs: 50 });
    assert.deepEqual(result, { status: null, fault: 'timed_out' });
  });

  it('disconnects a receiver that answers without end', async () => {
    let isClosed: Promise<unknown> | undefined;
    const receiver = await webhookReceiver(cleanup, (response) => {
      isClosed = once(response, 'close');
      const flood = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384)));
        if (!response.destroyed) response.once('drain', flood);
      };
      response.on('error', () => {});
      flood();
    });
    assert.deepEqual(await call(receiver.url), { status: 200, fault: null });
    await isClosed;
  });

  it('is not made to an address of a private network, as it is or by name', async () => {
    const receiver = await webhookReceiver(cleanup);
    const nothingAllowed = new TargetAddresses([]);
    for (const url of [receiver.url, `http://localhost:${receiver.port}/`, 'http://169.254.169.254/']) {
      assert.deepEqual(await call(url, { addresses: nothingAllowed }), { status: null, fault: 'address_refused' });
    }
    assert.equal(receiver.connections(), 0);
  });

  it('connects to the address that was checked, though the name has another loopback address a moment later', async () => {
    const receiver = await webhookReceiver(cleanup);
    let lookups = 0;
    // The first answer is permitted. The second is that of a name server that wants the server to call itself.
    const addresses = new TargetAddresses(['127.0.0.1'], async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    });
    const url = `http://receiver.example:${receiver.port}/`;
    assert.deepEqual(await call(url, { addresses }), { status: 204, fault: null });
    assert.equal(lookups, 1, 'the connection looked the name up again');
    assert.deepEqual(await call(url, { addresses }), { status: null, fault: 'address_refused' });
    assert.equal(receiver.connections(), 1);
  });

  it('says why there was no connection', async () => {
    const addresses = new TargetAddresses(['127.0.0.1'], async () => {
      throw new NameUnknownError();
    });
    assert.deepEqual(await call('http://receiver.example/', { addresses }), { status: null, fault: 'name_unknown' });

    const plain = createTcpServer((socket) =>
      socket.on('error', () => {}).end('this is no TLS\n', () => socket.destroy()),
    ).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    assert.deepEqual(await call(`https://127.0.0.1:${port}/`), { status: null, fault: 'tls_broken' });
    plain.close();
    await once(plain, 'close');
    assert.deepEqual(await call(`http://127.0.0.1:${port}/`), { status: null, fault: 'unreachable' });
  });

  it('is broken off when the server stops', async () => {
    const closing = new AbortController();
    const receiver = await webhookReceiver(cleanup, () => closing.abort());
    assert.deepEqual(await call(receiver.url, { closing }), { status: null, fault: 'unreachable' });
  });
});

import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { LossyNetwork, type LossyNetworkOptions } from '../../support/media/lossy-network.js';
import { until } from '../../support/media/until.js';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

async function socket(): Promise<Socket> {
  const opened = createSocket('udp4');
  opened.bind(0, '127.0.0.1');
  await once(opened, 'listening');
  cleanup.after(() => opened.close());
  return opened;
}

/** A server that echoes each packet, behind a lossy network. */
async function echoBehind(options: Omit<LossyNetworkOptions, 'target'> = {}) {
  const server = await socket();
  const ports = new Set<number>();
  server.on('message', (packet, { port }) => {
    ports.add(port);
    server.send(packet, port, '127.0.0.1');
  });
  const relay = await LossyNetwork.open({ ...options, target: server.address().port });
  cleanup.after(() => relay.close());
  return { relay, ports };
}

async function client(relay: LossyNetwork) {
  const own = await socket();
  const heard: string[] = [];
  own.on('message', (packet) => heard.push(String(packet)));
  return { heard, say: (text: string) => own.send(text, relay.port, '127.0.0.1') };
}

describe('LossyNetwork', () => {
  it('forwards packets both ways and keeps clients apart', async () => {
    const { relay, ports } = await echoBehind();
    const clients = [await client(relay), await client(relay)];
    clients.forEach(({ say }, index) => say(`from ${index}`));
    await until('both are answered', () => clients.every(({ heard }) => heard.length === 1));
    assert.deepEqual(
      clients.map(({ heard }) => heard),
      [['from 0'], ['from 1']],
    );
    assert.equal(ports.size, 2);
  });

  it('loses the configured part of packets, in the configured direction', async () => {
    const { relay } = await echoBehind({ up: { loss: 0.05 } });
    const { heard, say } = await client(relay);
    const passed = () => relay.counts.passed + relay.counts.dropped;
    for (let sent = 0; sent < 1_000; sent += 20) {
      const before = passed();
      for (let count = 0; count < 20; count++) say('x');
      await until('the packets are forwarded', () => passed() >= before + 20);
    }
    await until('the engine’s answers arrive', () => heard.length === 1_000 - relay.counts.dropped);
    assert.ok(relay.counts.dropped > 20 && relay.counts.dropped < 90);
  });

  it('delays packets and keeps their order', async () => {
    const { relay } = await echoBehind({ up: { delay: 60 }, down: { delay: 40, jitter: 20 } });
    const { heard, say } = await client(relay);
    const began = performance.now();
    const words = Array.from({ length: 20 }, (_, index) => String(index));
    for (const word of words) say(word);
    await until('the first arrives', () => heard.length > 0);
    assert.ok(performance.now() - began >= 98);
    await until('all packets arrived', () => heard.length === words.length);
    assert.deepEqual(heard, words);
  });

  it('can become worse while packets are forwarded', async () => {
    const { relay } = await echoBehind();
    const { heard, say } = await client(relay);
    say('before');
    await until('the packet arrives', () => heard.length === 1);
    relay.down.loss = 1;
    say('after');
    await until('it was dropped', () => relay.counts.dropped === 1);
    assert.deepEqual(heard, ['before']);
  });
});

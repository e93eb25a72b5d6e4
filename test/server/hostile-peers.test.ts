import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import express from 'express';
import fc from 'fast-check';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { readConfig } from '../../server/config/config.js';
import { receiverReport } from '../../server/media/embedded/rtcp/rtcp.js';
import { Sfu } from '../../server/media/embedded/worker/sfu.js';
import { readOffer } from '../../server/media/sdp/offer.js';
import { createStreamServer } from '../../server/composition/stream-server.js';
import type { TokenKind } from '../../server/tokens/token-record.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { hurryTimeouts } from '../support/hurried-timers.js';
import { sdpOffer } from '../support/media/offer.js';
import { patient } from '../support/media/patient-engine.js';
import { RtpPeer } from '../support/media/rtp-peer.js';
import { until } from '../support/media/until.js';
import { askDirector, openSocket, TestClient } from '../support/stream-server.js';
import { whenThereIsRoom } from '../support/when-there-is-room.js';
import { SfuEngine } from '../support/media/sfu-engine.js';
import { sfuListener } from '../support/media/sfu-listener.js';

/** Clients have half a minute for their first media. */
const HURRY = 6;

const STREAMS = [{ streamName: 'main', isRegex: false }];
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A client whose command is accepted, as soon as the media engine has room for it. Each attempt is a client of its own:
 * the server closes those that have had no session for too long.
 */
function admitted(
  open: () => Promise<TestClient>,
  name: 'view' | 'publish',
  data: object,
): Promise<{ client: TestClient; sdp: string }> {
  return whenThereIsRoom(async () => {
    const client = await open();
    const { type, code, data: answer } = await client.command(name, data);
    if (type === 'response') return { client, sdp: answer.sdp };
    client.socket.close();
    throw new Error(code);
  });
}

/**
 * The whole server with the SFU in this process, so that its memory can be measured. A well-behaved publisher sends, and
 * a well-behaved viewer receives.
 */
async function startServer(cleanup: Cleanup) {
  const sfu = await Sfu.open({ bindAddress: '127.0.0.1', udpPort: 0 }, sfuListener);
  const config = readConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: await dataFolder(cleanup) });
  const server = await createStreamServer(config, { engine: new SfuEngine(sfu), log: pino({ level: 'silent' }) });
  cleanup.after(() => server.close());
  await server.accounts.ensureFirstAccount();
  const http = createServer(express().use(server.router));
  const sockets = new Set<Socket>();
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.attach(http);
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  cleanup.after(() => http.close());
  const { port } = http.address() as AddressInfo;
  const app = { origin: `http://127.0.0.1:${port}` };
  const token = async (kind: TokenKind) =>
    (await server.tokens.create({ accountId: 'main', kind }, { label: '', streams: STREAMS })).token;
  const [publish, subscribe] = [await token('publish'), await token('subscribe')];

  const openViewer = async () => openSocket(await askDirector(app, 'subscribe', subscribe));
  /** @param sourceId absent: the main source */
  const openPublisher = async (sourceId?: string) => {
    const body = { streamName: 'main', streamAccountId: 'main', sourceId };
    return openSocket(await askDirector(app, 'publish', publish, body));
  };
  const peers = new Set<RtpPeer>();
  const openPeer = async (role: 'publisher' | 'viewer') => {
    const peer = await RtpPeer.open({ role });
    peers.add(peer);
    return peer;
  };
  /** A viewer, and the number of packets that it received. */
  const watch = async () => {
    const peer = await openPeer('viewer');
    const received = { packets: 0 };
    peer.onRtp = () => (received.packets += 1);
    const { client, sdp } = await admitted(openViewer, 'view', { sdp: peer.offer });
    await peer.accept({ answer: sdp });
    return { client, peer, received };
  };
  const send = async (sourceId?: string) => {
    const peer = await openPeer('publisher');
    const offer = { sdp: peer.offer, sourceId, events: ['viewercount'] };
    const { client, sdp } = await admitted(() => openPublisher(sourceId), 'publish', offer);
    await peer.accept({ answer: sdp });
    return { client, peer };
  };
  const good = await send();
  const stopFrames = good.peer.sendEvery(20);
  const observer = await watch();
  // A viewer without receiver reports is disconnected.
  const stopReports = observer.peer.sendEvery(500, () => observer.peer.send(receiverReport(1, [])));
  const leave = async ({ client, peer }: { client: TestClient; peer: RtpPeer }) => {
    client.socket.close();
    await client.closed;
    peer.close();
    peers.delete(peer);
  };
  cleanup.after(() => {
    stopFrames();
    stopReports();
    for (const peer of peers) peer.close();
    for (const socket of sockets) socket.destroy();
  });
  const viewerCount = () => good.client.frames.findLast(({ name }) => name === 'viewercount')?.data.viewercount;

  return {
    port,
    openViewer,
    openPublisher,
    watch,
    send,
    leave,
    counts: () => sfu.counts,
    /** The observer and a new viewer receive media, and nothing is left of any other client. */
    async isUnchanged(): Promise<void> {
      const before = observer.received.packets;
      await until('the observer receives more media', () => observer.received.packets > before + 10);
      const next = await watch();
      await until('a new viewer receives media', () => next.received.packets > 10);
      await until('the new viewer is counted', () => viewerCount() === 2);
      await leave(next);
      await until('only the observer is counted', () => viewerCount() === 1);
      await until('no other session is left', () => sfu.counts.sessions === 2 && sfu.counts.streams === 1);
      await until('no other connection is left', () => {
        http.closeIdleConnections();
        return sockets.size === 2;
      });
    },
  };
}

const good = (direction: 'recvonly' | 'sendonly') => sdpOffer({ direction, videoCodecs: ['vp8'] });

/** Offers of browsers, and offers that no browser makes. */
const OFFERS: Readonly<Record<string, (direction: 'recvonly' | 'sendonly') => string>> = {
  good,
  sound: (direction) => sdpOffer({ direction, kinds: ['audio'] }),
  picture: (direction) => sdpOffer({ direction, kinds: ['video'] }),
  'unknown codecs': (direction) => good(direction).replaceAll(/VP8|opus/g, 'H261'),
  'neither sound nor picture': (direction) => good(direction).replaceAll(/m=(?:audio|video)/g, 'm=application'),
  'a hundred lines': (direction) => {
    const [head, video] = good(direction).split(/(?=m=video)/);
    return head! + Array.from({ length: 100 }, (_, index) => video!.replace('a=mid:1', `a=mid:${index + 1}`)).join('');
  },
  '50 KB': (direction) => good(direction).padEnd(50_000, 'a=x-padding\r\n'),
  'cut off': (direction) => good(direction).slice(0, 200),
  nothing: () => '',
};

const NAMES = [
  'view',
  'publish',
  'select',
  'project',
  'unproject',
  'renew',
  'record',
  'report',
  'unview',
  'unpublish',
  '',
  'toString',
];
const sourceId = fc.constantFrom(undefined, null, 'chance', 'nobody', 7);
const command = fc.record({
  isNumbered: fc.boolean(),
  name: fc.oneof({ weight: 2, arbitrary: fc.constantFrom('view', 'publish') }, fc.constantFrom(...NAMES)),
  offer: fc.constantFrom(...Object.keys(OFFERS)),
  data: fc.oneof(
    fc.record({ sourceId }),
    fc.record({
      layer: fc.constantFrom(null, {}, { encodingId: '9' }, { spatialLayerId: 255 }, 1),
      sourceId,
      mapping: fc.constantFrom([], [{ media: 'video', mediaId: '0' }], [{ trackId: 'x' }], 'all'),
      mediaIds: fc.constantFrom([], ['0'], ['63'], [null]),
    }),
    fc.dictionary(fc.string(), fc.jsonValue()),
  ),
});
const session = fc.record({
  role: fc.constantFrom('viewer', 'publisher'),
  commands: fc.array(command, { maxLength: 12 }),
});

/** RTP and RTCP packets of every type that the server reads, complete or truncated. */
const randomPacket = fc
  .tuple(
    fc.uint8Array({ minLength: 1, maxLength: 300, size: 'max' }),
    fc.constantFrom(96, 97, 108, 111, 200, 201, 202, 205, 206, 207, 224, 72),
    fc.constantFrom(undefined, 1001, 1002),
  )
  .map(([bytes, second, from]) => {
    const packet = Buffer.from(bytes);
    packet[0] = 0x80 | (packet[0]! & 0x3f);
    if (packet.length > 1) packet[1] = second;
    if (packet.length > 11 && from !== undefined) packet.writeUInt32BE(from, 8);
    return packet;
  });

// The library of the transports takes half a minute to notice silence: the rest is tested meanwhile.
describe('peers that do not behave', { concurrency: true, timeout: 480_000 }, () => {
  let sfu: Sfu;
  // Before that of the server: two that look for a free port at the same time may find the same.
  before(async () => {
    sfu = patient(await Sfu.open({ bindAddress: '127.0.0.1', udpPort: 0 }, sfuListener));
  });
  after(() => sfu.close());

  it('that fall silent are lost, as those that never connect, and their stream ends', (t) => loseSilentPeers(t, sfu));
  describe('the whole server, with hostile peers', { concurrency: false }, withHostilePeers);
});

async function loseSilentPeers(t: TestContext, sfu: Sfu) {
  const said: unknown[][] = [];
  sfu.on('ended', (...event) => said.push(['ended', ...event]));
  sfu.on('session-lost', (...event) => said.push(['session-lost', ...event]));
  const publisher = await RtpPeer.open({ role: 'publisher' });
  const viewer = await RtpPeer.open({ role: 'viewer' });
  t.after(() => [publisher, viewer].forEach((peer) => peer.close()));
  const published = await sfu.publish('s', readOffer(publisher.offer));
  const viewed = await sfu.view('s', readOffer(viewer.offer));
  await Promise.all([publisher.accept(published), viewer.accept(viewed)]);
  await until('media flows', async () => {
    publisher.sendFrame();
    return (await sfu.stats('s')).packetsOut > 0;
  });

  const neverCame = [
    await sfu.view('s', readOffer(sdpOffer())),
    await sfu.publish('t', readOffer(sdpOffer({ direction: 'sendonly' }))),
  ];

  publisher.close();
  viewer.close();
  await until('all sessions are lost', () => said.length >= 5);
  assert.deepEqual(
    said.toSorted((a, b) => String(a).localeCompare(String(b))),
    [
      ['ended', 's', null],
      ...[published, viewed, ...neverCame]
        .map(({ id }) => id)
        .sort()
        .map((id) => ['session-lost', id, 'transport_lost']),
    ],
  );
  assert.deepEqual(sfu.counts, { streams: 0, sessions: 0 });
  await assert.doesNotReject(sfu.publish('s', readOffer(publisher.offer)), 'the stream is free again');
}

function withHostilePeers() {
  const cleanup = new Cleanup();
  let server: Awaited<ReturnType<typeof startServer>>;
  before(async () => {
    cleanup.after(hurryTimeouts(HURRY));
    server = await startServer(cleanup);
  });
  after(() => cleanup.run());

  /** Sends commands without waiting for the answers. */
  async function commands(numRuns: number): Promise<void> {
    await fc.assert(
      fc.asyncProperty(session, async ({ role, commands }) => {
        const client = await (role === 'viewer' ? server.openViewer() : server.openPublisher('chance'));
        const direction = role === 'viewer' ? 'recvonly' : 'sendonly';
        const sent = commands.map(({ isNumbered, name, offer, data }, transId) => {
          const command = { type: 'cmd', name, data: { ...data, sdp: OFFERS[offer]!(direction) } };
          return isNumbered ? { ...command, transId } : command;
        });
        for (const command of sent) client.socket.send(JSON.stringify(command));
        const isAnswer = ({ type }: { type: string }) => type === 'response' || type === 'error';
        const answers = () => client.frames.filter(isAnswer);
        const isOver = () => client.socket.readyState === WebSocket.CLOSED;
        // A viewer wants no answer to a report without a number.
        const asked = sent.filter(
          (command) => 'transId' in command || role === 'publisher' || command.name !== 'report',
        );
        await until('each command is answered', () => isOver() || answers().length === asked.length);

        const numbers = asked.map((command) => ('transId' in command ? command.transId : null));
        const left = sent.findIndex(({ name }) => name === (role === 'viewer' ? 'unview' : 'unpublish'));
        if (left < 0)
          assert.deepEqual(
            answers()
              .map(({ transId }) => transId)
              .toSorted(),
            numbers.toSorted(),
          );
        else assert.equal((await client.closed).code, 1000);
        for (const { type, code, data } of answers()) {
          if (type === 'error') assert.match(`${code}: ${data}`, /^(?!internal)[a-z_]+: .{5}/);
        }
        client.socket.close();
        await client.closed;
      }),
      { numRuns },
    );
  }

  /** Two admitted peers send random packets as fast as they can. */
  async function packets(seed: number): Promise<void> {
    const bad = [await server.watch(), await server.send('chance')];
    const chance = fc.sample(randomPacket, { numRuns: 500, seed });
    let sent = 0;
    for (let turn = 0; turn < 20; turn++) {
      for (const packet of chance) {
        for (const { peer } of bad) {
          try {
            peer.send(packet);
            sent += 1;
          } catch (error) {
            // The peer's own SRTP refuses a packet whose header claims to be longer than the packet.
            assert.match(String(error), /SRTC?P/);
          }
        }
      }
      await pause(1);
    }
    assert.ok(sent > 5_000, `${sent} sent`);
    for (const one of bad) await server.leave(one);
  }

  const halfOpen = async (count: number): Promise<TestClient[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const client = new TestClient(new WebSocket(`ws://127.0.0.1:${server.port}/ws/v2/sub`));
        await once(client.socket, 'open');
        return client;
      }),
    );

  /** Viewers that leave before any media reached them. */
  const leavingViewers = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn++) {
      const client = await server.openViewer();
      await client.command('view', { sdp: sdpOffer() });
      client.socket.close();
      await client.closed;
    }
  };

  it('answers each command in any order with data or a reason', async () => {
    await commands(40);
    await server.isUnchanged();
  });

  it('continues whatever packets a publisher and a viewer send', async (t) => {
    const seed = Date.now() & 0x7fff_ffff;
    t.diagnostic(`the seed of the packets: ${seed}`);
    await packets(seed);
    await server.isUnchanged();
  });

  it('serves a new viewer while a thousand websockets have no grant, and closes them', async (t) => {
    const hanging = await halfOpen(1_000);
    const silent = Array.from({ length: 50 }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
    t.after(() => silent.forEach((socket) => socket.destroy()));
    for (const socket of silent) socket.write('GET /ws/v2/sub HTTP/1.1\r\nHost: a\r\nUpgrade: webs');
    const next = await server.watch();
    await until('the new viewer receives media', () => next.received.packets > 10);
    await server.leave(next);
    const ends = await Promise.all(hanging.map(({ closed }) => closed));
    assert.deepEqual(new Set(ends.map(({ code, reason }) => `${code} ${reason}`)), new Set(['1008 grant_missing']));
    for (const socket of silent) socket.destroy();
    await server.isUnchanged();
  });

  it('ends clients that never connect, that request no media, and that stop reading', async () => {
    const silent = { sdp: sdpOffer({ direction: 'sendonly' }), sourceId: 'silent' };
    const [{ client: viewer }, { client: publisher }, idle, unread] = await Promise.all([
      admitted(server.openViewer, 'view', { sdp: sdpOffer() }),
      admitted(() => server.openPublisher('silent'), 'publish', silent),
      server.openViewer(),
      server.watch(),
    ]);
    unread.client.socket.pause();

    for (const [client, code, number] of [
      [viewer, 'transport_lost', 4002],
      [publisher, 'transport_lost', 4002],
      [idle, 'idle', 4005],
    ] as const) {
      assert.equal((await client.event('stopped')).data.code, code);
      assert.equal((await client.closed).code, number);
    }
    await until('the client that stopped reading is disconnected', () => server.counts().sessions === 2);
    unread.client.socket.resume();
    assert.equal((await unread.client.closed).code, 1006);
    await server.leave(unread);
    await server.isUnchanged();
  });

  it('uses no more memory afterwards', async (t) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const wave = async (seed: number) => {
      await commands(20);
      await packets(seed);
      await leavingViewers(100);
      for (const { socket } of await halfOpen(250)) socket.terminate();
      await server.isUnchanged();
    };
    const inUse = async () => {
      for (let turn = 0; turn < 3; turn++) {
        await pause(50);
        collect();
      }
      const { heapUsed, external, rss } = process.memoryUsage();
      return { bytes: heapUsed + external, rss };
    };
    await wave(1);
    const first = await inUse();
    for (const seed of [2, 3]) await wave(seed);
    let last = first;
    // What was freed a moment ago may still be in use by timers and by sockets that close.
    await until('as little is in use as before', async () => {
      last = await inUse();
      return last.bytes < first.bytes + 2_000_000;
    });
    const inKb = (bytes: number) => Math.round(bytes / 1_000);
    t.diagnostic(`in use: ${inKb(first.bytes)} kB, and two waves later ${inKb(last.bytes)} kB`);
    t.diagnostic(`resident: ${inKb(first.rss)} kB, and two waves later ${inKb(last.rss)} kB`);
  });
}

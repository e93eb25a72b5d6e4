import { setTimeout as sleep } from 'node:timers/promises';
import { readRtcp } from '../../server/media/embedded/rtcp/rtcp.js';
import { Cleanup } from '../../test/support/cleanup.js';
import { clusterProcess } from '../../test/support/cluster.js';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import type { TestPostgres } from '../../test/support/postgres.js';
import { RestTokens } from '../../test/support/rest-tokens.js';
import type { ServerProcess } from '../../test/support/server-process.js';
import { askDirector, openSocket } from '../../test/support/stream-server.js';
import { MediaRig, type Round } from '../media/forwarding-rigs.js';
import { median } from '../support/percentile.js';
import { progress } from '../support/progress.js';

export interface RelaySize {
  /** In ascending order. */
  readonly viewers: readonly number[];
  /** How often servers are started. The same code costs a few per cent more or less in another process. */
  readonly starts: number;
  /**
   * After each start. A server that only passes a stream on handles so few packets that V8 compiles its code after half
   * a minute.
   */
  readonly warmUpMs: number;
  /** Of each start, for each number of viewers. */
  readonly rounds: number;
  readonly roundMs: number;
  readonly firstFrames: number;
}

/** About 1.8 Mbit/s at 30 frames a second. */
const PACKETS_PER_FRAME = 7;
const FRAME_MS = 33;
const FIRST_FRAME_WITHIN_MS = 10_000;

export interface PacketCost {
  readonly viewers: number;
  readonly localMicros: number;
  readonly relayedMicros: number;
  readonly localDelayMs: number;
  readonly relayedDelayMs: number;
}

/**
 * What a packet costs for each viewer, in the processes of one server, and in those of two of which one relays to the
 * other. @returns one cost for each number of viewers
 */
export async function packetCosts(size: RelaySize): Promise<readonly PacketCost[]> {
  const rounds = size.viewers.map((viewers): RelayRounds => ({ viewers, local: [], relayed: [] }));
  for (let start = 1; start <= size.starts; start += 1) {
    const local = await MediaRig.open({ name: 'local', what: 'one server' }, 'streamgate.ts');
    const relayed = await MediaRig.open({ name: 'relayed', what: 'a server with a relay from another' }, 'relayed.ts');
    const rigs = { local, relayed };
    try {
      await warmUp(rigs, size);
      for (const ofCount of rounds) {
        progress(`relayed packets to ${ofCount.viewers} viewers, start ${start} of ${size.starts}`);
        await addRounds(ofCount, rigs, size);
      }
    } finally {
      for (const rig of [local, relayed]) await rig.close();
    }
  }
  return rounds.map(packetCost);
}

type RelayRigs = Readonly<Record<'local' | 'relayed', MediaRig>>;

interface RelayRounds extends Readonly<Record<keyof RelayRigs, Round[]>> {
  readonly viewers: number;
}

async function warmUp(rigs: RelayRigs, { viewers, warmUpMs }: RelaySize): Promise<void> {
  for (const rig of Object.values(rigs)) await rig.grow(viewers[0]!);
  for (const rig of Object.values(rigs)) await rig.measure(warmUpMs, PACKETS_PER_FRAME);
}

async function addRounds(to: RelayRounds, rigs: RelayRigs, { rounds, roundMs }: RelaySize): Promise<void> {
  for (const rig of Object.values(rigs)) await rig.grow(to.viewers);
  // Round 0 is not counted: new viewers have no picture yet.
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of ['local', 'relayed'] as const) {
      const measured = await rigs[name].measure(roundMs, PACKETS_PER_FRAME);
      if (round > 0) to[name].push(measured);
    }
  }
}

function packetCost({ viewers, local, relayed }: RelayRounds): PacketCost {
  const middle = (rounds: readonly Round[], figure: 'cpuMicrosPerPacket' | 'p50Ms') =>
    median(rounds.map((round) => round[figure]));
  for (const [name, rounds] of Object.entries({ local, relayed })) {
    const delivered = median(rounds.map((round) => round.delivered));
    if (!(delivered > 0.99))
      throw new Error(`of the packets, ${delivered} were delivered: ${name}, ${viewers} viewers`);
  }
  return {
    viewers,
    localMicros: middle(local, 'cpuMicrosPerPacket'),
    relayedMicros: middle(relayed, 'cpuMicrosPerPacket'),
    localDelayMs: middle(local, 'p50Ms'),
    relayedDelayMs: middle(relayed, 'p50Ms'),
  };
}

export interface FirstFrames {
  readonly originMs: number;
  readonly edgeMs: number;
  /** Of the viewer for whom the relay is opened. */
  readonly firstOnEdgeMs: number;
}

/** From a viewer's call of the director to the first packet of a picture, at the server that has the stream and at another. */
export async function firstFrames(postgres: TestPostgres, { firstFrames: count }: RelaySize): Promise<FirstFrames> {
  progress('first frames at a server that relays');
  const cleanup = new Cleanup();
  try {
    const databaseUrl = await postgres.newDatabase();
    const open = async () => {
      const server = await clusterProcess(databaseUrl, { NODE_RELAY: 'on' });
      cleanup.after(() => server.stop());
      return server;
    };
    const [origin, edge] = [await open(), await open()];
    const { secret } = await origin.cli('secret', 'create', '--account', 'main');
    const tokens = new RestTokens(origin.origin, String(secret));
    await publish(origin, await tokens.publish('main'), cleanup);
    while ((await askDirector(edge, 'subscribe')).status !== 200) await sleep(FRAME_MS);
    const firstOnEdgeMs = await firstFrame(edge);
    const took = { origin: [] as number[], edge: [] as number[] };
    for (let round = 0; round < count; round += 1) {
      took.origin.push(await firstFrame(origin));
      took.edge.push(await firstFrame(edge));
    }
    return { originMs: median(took.origin), edgeMs: median(took.edge), firstOnEdgeMs };
  } finally {
    await cleanup.run();
  }
}

/** Sends keyframes only on request. */
async function publish(server: ServerProcess, token: string, cleanup: Cleanup): Promise<void> {
  const peer = await RtpPeer.open({ role: 'publisher' });
  const socket = await openSocket(await askDirector(server, 'publish', token));
  const { data } = await socket.command('publish', { name: 'main', sdp: peer.offer, codec: 'vp8' });
  await peer.accept({ answer: data.sdp });
  peer.sendFrame();
  const timer = setInterval(() => {
    const messages = peer.rtcp.splice(0).flatMap((packet) => readRtcp(packet));
    peer.sendFrame({ keyframe: messages.some(({ type }) => type === 'keyframe-request') });
  }, FRAME_MS);
  cleanup.after(() => {
    clearInterval(timer);
    socket.socket.terminate();
    peer.close();
  });
}

async function firstFrame(server: ServerProcess): Promise<number> {
  const peer = await RtpPeer.open({ role: 'viewer' });
  const first = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no frame came')), FIRST_FRAME_WITHIN_MS);
    peer.onRtp = (packet) => {
      peer.rtp.push(packet);
      if (peer.received('video') === 0) return;
      clearTimeout(timer);
      resolve(performance.now());
    };
  });
  const began = performance.now();
  const view = { streamId: 'main', sdp: peer.offer, events: ['active'] };
  const { body } = await askDirector(server, 'subscribe', undefined, {
    streamName: 'main',
    streamAccountId: 'main',
    view,
  });
  await peer.accept({ answer: body.data.view.sdp });
  const took = (await first) - began;
  peer.close();
  return took;
}

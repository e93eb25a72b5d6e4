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
  /**
   * Of each server, before the first round. A server that only passes a stream on handles so few packets that V8 compiles
   * its code after half a minute.
   */
  readonly warmUpMs: number;
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
export async function packetCosts({ viewers, ...size }: RelaySize): Promise<readonly PacketCost[]> {
  const local = await MediaRig.open({ name: 'local', what: 'one server' }, 'streamgate.ts');
  const relayed = await MediaRig.open({ name: 'relayed', what: 'a server with a relay from another' }, 'relayed.ts');
  const rigs = { local, relayed };
  try {
    const costs: PacketCost[] = [];
    for (const count of viewers) costs.push(await packetCost(rigs, count, size));
    return costs;
  } finally {
    for (const rig of [local, relayed]) await rig.close();
  }
}

type RelayRigs = Readonly<Record<'local' | 'relayed', MediaRig>>;

async function packetCost(
  rigs: RelayRigs,
  viewers: number,
  { warmUpMs, rounds: count, roundMs }: Omit<RelaySize, 'viewers'>,
): Promise<PacketCost> {
  progress(`connecting ${viewers} viewers to a server, and to another over a relay`);
  for (const rig of Object.values(rigs)) await rig.grow(viewers);
  for (const rig of Object.values(rigs)) await rig.measure(warmUpMs, PACKETS_PER_FRAME);
  const rounds = { local: [] as Round[], relayed: [] as Round[] };
  for (let round = 1; round <= count; round += 1) {
    progress(`relayed packets to ${viewers} viewers, round ${round} of ${count}`);
    for (const name of ['local', 'relayed'] as const)
      rounds[name].push(await rigs[name].measure(roundMs, PACKETS_PER_FRAME));
  }
  for (const name of ['local', 'relayed'] as const) {
    const delivered = median(rounds[name].map((round) => round.delivered));
    if (!(delivered > 0.99)) throw new Error(`${rigs[name].what} delivered ${delivered} of the packets`);
  }
  const of = (name: keyof RelayRigs, figure: 'cpuMicrosPerPacket' | 'p50Ms') =>
    median(rounds[name].map((round) => round[figure]));
  return {
    viewers,
    localMicros: of('local', 'cpuMicrosPerPacket'),
    relayedMicros: of('relayed', 'cpuMicrosPerPacket'),
    localDelayMs: of('local', 'p50Ms'),
    relayedDelayMs: of('relayed', 'p50Ms'),
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

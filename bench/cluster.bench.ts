import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { build } from '../scripts/build.js';
import { ClusterLeases } from '../server/cluster/cluster-leases.js';
import { ClusterNode } from '../server/cluster/cluster-node.js';
import { DatabaseClock } from '../server/cluster/database-clock.js';
import { monotonicNow } from '../server/monotonic-now.js';
import { openDatabase } from '../server/store/database.js';
import { PostgresClusterStore } from '../server/store/postgres/postgres-cluster-store.js';
import { Cleanup } from '../test/support/cleanup.js';
import { startPostgres } from '../test/support/postgres.js';
import { askDirector, openSocket } from '../test/support/stream-server.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import type { ClusterNodeProcess } from './cluster/node.js';
import { firstFrames, packetCosts, type PacketCost, type RelaySize } from './cluster/relays.js';
import type { Crowd } from './crowds/crowd.js';
import { BenchProcess } from './support/bench-process.js';
import { median, percentile } from './support/percentile.js';
import { progress } from './support/progress.js';
import { streamIdOf } from '../server/streams/stream-id.js';

type Node = BenchProcess<ClusterNodeProcess>;

const RELAYS: RelaySize = {
  viewers: [100, 200],
  starts: 3,
  warmUpMs: 40_000,
  rounds: 3,
  roundMs: 6_000,
  firstFrames: 20,
};
const QUICK_RELAYS: RelaySize = {
  ...RELAYS,
  viewers: [4, 8],
  starts: 1,
  warmUpMs: 500,
  rounds: 1,
  roundMs: 500,
  firstFrames: 1,
};
const FULL = { seconds: 3, rounds: 5, sockets: 5_000, events: 5, revocations: 200, claims: 1_000, relays: RELAYS };
const QUICK: typeof FULL = {
  ...FULL,
  seconds: 1,
  rounds: 1,
  sockets: 200,
  events: 1,
  revocations: 5,
  claims: 20,
  relays: QUICK_RELAYS,
};
/** Calls of each load: enough to keep a server busy. */
const CONNECTIONS = 16;
/** A waiting viewer that was told to move can be told again after ten seconds. */
const NEXT_EVENT_AFTER_MS = 10_500;
const EVENT_WITHIN_MS = 10_000;

/**
 * Measures servers on one durable PostgreSQL:
 * - what a viewer's call costs each of two servers that are called at the same time, against two that are called in the
 *   same way and are each alone on a database;
 * - how soon 5,000 viewers who wait on one server learn that their stream begins on the other;
 * - how soon a viewer on one is disconnected after the other disables the token;
 * - how long a claim takes that four servers make at once;
 * - how soon a viewer gets the first frame of a stream that another server has, over a relay, against one where it is;
 * - what a relayed packet costs for each viewer in all processes of two servers, against those of one.
 *
 * The calls are compared by CPU time and under the same load. On two cores the load, the database and two servers
 * compete, and a server that is called less often pays more for each call.
 */
export async function run({ quick = false }: BenchOptions): Promise<BenchResult> {
  const size = quick ? QUICK : FULL;
  await build({ ifNeeded: true });
  const cleanup = new Cleanup();
  try {
    const postgres = await startPostgres({ durable: true });
    cleanup.after(() => postgres.stop());
    const key = randomBytes(32).toString('hex');
    const startNode = async (databaseUrl: string): Promise<Node> => {
      const args = [`DATABASE_URL=${databaseUrl}`, `ENCRYPTION_KEY=${key}`];
      const node: Node = await BenchProcess.start('cluster/node.ts', { args });
      cleanup.after(() => node.stop());
      return node;
    };
    const shared = await postgres.newDatabase();
    const [a, b] = [await startNode(shared), await startNode(shared)];
    const alone = [await startNode(await postgres.newDatabase()), await startNode(await postgres.newDatabase())];
    const viewer = await a.call('createToken', 'subscribe');
    const ofTwo = [a, b].map((node) => ({ node, token: viewer.token }));
    const ofOne = await Promise.all(
      alone.map(async (node) => ({ node, token: (await node.call('createToken', 'subscribe')).token })),
    );
    const cost = { alone: [] as number[], shared: [] as number[] };
    for (let round = 0; round <= size.rounds; round += 1) {
      progress(round === 0 ? 'warming up' : `viewer calls, round ${round} of ${size.rounds}`);
      const seconds = round === 0 ? 1 : size.seconds;
      const calls = (pair: typeof ofTwo) =>
        Promise.all(pair.map(({ node, token }) => cpuPerCall(node, token, seconds)));
      const [one, two] = [await calls(ofOne), await calls(ofTwo)];
      if (round === 0) continue;
      cost.alone.push(...one);
      cost.shared.push(...two);
    }
    await Promise.all(alone.map((node) => node.stop()));
    const eventMs = await startEvents(a, b, viewer.token, size);
    const revocationMs = await revocations(a, b, size.revocations);
    const claimMs = await claims(await postgres.newDatabase(), size.claims, cleanup);
    const frames = await firstFrames(postgres, size.relays);
    const packets = await packetCosts(size.relays);
    return {
      name: 'cluster',
      ratio: median(cost.alone) / median(cost.shared),
      against: 'the viewer calls per second of CPU time of servers that are each alone on a database',
      also: [
        {
          ratio: frames.edgeMs / frames.originMs,
          against: 'the time to the first frame where the stream is, of a viewer on another server',
          target: { most: 1.2 },
        },
        ...packets.map(({ viewers, localMicros, relayedMicros }) => ({
          ratio: relayedMicros / localMicros,
          against: `the CPU time per packet of one server, ${viewers} viewers, all on another server`,
          target: { most: 1.1 },
        })),
      ],
      figures: {
        cpuMicrosPerCallAlone: median(cost.alone),
        cpuMicrosPerCallOfTwo: median(cost.shared),
        sockets: size.sockets,
        missingEvents: size.events - eventMs.length,
        lastSocketMs: median(eventMs),
        slowestLastSocketMs: Math.max(...eventMs),
        revocationP50Ms: median(revocationMs),
        revocationP99Ms: percentile(revocationMs, 99),
        claimP50Ms: median(claimMs),
        claimP99Ms: percentile(claimMs, 99),
        originFirstFrameMs: frames.originMs,
        edgeFirstFrameMs: frames.edgeMs,
        firstOnEdgeFirstFrameMs: frames.firstOnEdgeMs,
        ...Object.assign({}, ...packets.map(packetFigures)),
      },
    };
  } finally {
    await cleanup.run();
  }
}

function packetFigures({ viewers, ...cost }: PacketCost): Record<string, number> {
  return {
    [`localCpuMicrosPerPacketTo${viewers}`]: cost.localMicros,
    [`relayedCpuMicrosPerPacketTo${viewers}`]: cost.relayedMicros,
    [`localDelayP50MsTo${viewers}`]: cost.localDelayMs,
    [`relayedDelayP50MsTo${viewers}`]: cost.relayedDelayMs,
  };
}

/** The CPU time of the server for each call, in µs. */
async function cpuPerCall(node: Node, token: string, seconds: number): Promise<number> {
  const before = await node.call('cpuMicros', null);
  const { requests, non2xx, errors } = await autocannon({
    url: `${await node.call('origin', null)}/api/director/subscribe`,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ streamName: 'main', streamAccountId: 'main' }),
    connections: CONNECTIONS,
    duration: seconds,
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} calls failed`);
  return ((await node.call('cpuMicros', null)) - before) / requests.total;
}

/** From the media of a stream on `a` to the last of the viewers who wait on `b`, in ms. */
async function startEvents(a: Node, b: Node, token: string, { sockets, events }: typeof FULL): Promise<number[]> {
  progress(`connecting ${sockets} viewers`);
  const crowd = await BenchProcess.start<Crowd>('crowds/crowd.ts');
  const took: number[] = [];
  try {
    await crowd.call('openViewers', { origin: await b.call('origin', null), token, count: sockets });
    const { token: publishToken } = await a.call('createToken', 'publish');
    for (let event = 0; event < events; event += 1) {
      progress(`start event ${event + 1} of ${events}`);
      await a.call('publish', publishToken);
      await crowd.call('expectTexts', { group: 'viewers', texts: ['"migrate"'] });
      const started = BigInt(await a.call('start', null));
      const last = await crowd.call('lastReceived', { group: 'viewers', withinMs: EVENT_WITHIN_MS });
      if (last !== null) took.push(Number(BigInt(last) - started) / 1e6);
      await a.call('unpublish', null);
      if (event + 1 < events) await sleep(NEXT_EVENT_AFTER_MS);
    }
    return took;
  } finally {
    await crowd.stop();
  }
}

/** From the change of a token on `a` to the close of a websocket on `b`, in ms. */
async function revocations(a: Node, b: Node, count: number): Promise<number[]> {
  progress(`${count} revocations`);
  const origin = await b.call('origin', null);
  const took: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const { id, token } = await a.call('createToken', 'subscribe');
    const client = await openSocket(await askDirector({ origin }, 'subscribe', token));
    const disabled = a.call('disable', id);
    await client.closed;
    const closedAt = process.hrtime.bigint();
    took.push(Number(closedAt - BigInt(await disabled)) / 1e6);
  }
  return took;
}

/** How long each claim takes when four servers claim a name at once. Each name has one winner. */
async function claims(databaseUrl: string, count: number, cleanup: Cleanup): Promise<number[]> {
  progress(`${count} names, claimed four times each`);
  const open = async () => {
    const db = await openDatabase('', databaseUrl);
    cleanup.after(() => db.destroy());
    const store = new PostgresClusterStore(db);
    const identity = { id: randomBytes(16).toString('hex'), url: undefined };
    const node = new ClusterNode({ identity, store, clock: new DatabaseClock(Date.now), monotonicNow });
    await node.start();
    cleanup.after(() => node.close());
    return new ClusterLeases({ node, store, monotonicNow });
  };
  const nodes = await Promise.all([open(), open(), open(), open()]);
  const took: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const outcomes = await Promise.all(
      nodes.map(async (leases, index) => {
        const asked = performance.now();
        const sessionId = `${round}-${index}`;
        const claim = {
          streamId: streamIdOf('main', `${round}`),
          sourceId: null,
          sessionId,
          sessionKey: sessionId,
          tokenId: 1,
        };
        const outcome = await leases.claim(claim);
        took.push(performance.now() - asked);
        return outcome;
      }),
    );
    const winners = outcomes.filter((outcome) => outcome === 'held').length;
    if (winners !== 1) throw new Error(`a name had ${winners} winners`);
  }
  return took;
}

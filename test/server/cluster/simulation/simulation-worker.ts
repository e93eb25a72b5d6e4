import { parentPort, workerData } from 'node:worker_threads';
import * as fc from 'fast-check';
import { SimulatedCluster } from './simulated-cluster.js';
import { assertConverged, assertEmpty, assertUnwatched } from './converged.js';

const SERVERS = 3;
const PUBLISH = { id: 1, kind: 'publish' } as const;
const VIEW = { id: 2 } as const;
const ONE_AT_ONCE = { id: 3, maxSessions: 1 } as const;
const NEWEST_ONLY = { id: 4, maxSessions: 1, whenFull: 'displace' } as const;
const TOKENS = [PUBLISH, VIEW, ONE_AT_ONCE, NEWEST_ONLY];
/**
 * The slowest way back: a server is started again after five seconds, another one is lost eight seconds after it was, and a
 * stream that could not be received is asked for again after thirty.
 */
const CONVERGES_WITHIN_MS = 45_000;
/** A stream that nobody watches is received for fifteen more seconds. */
const UNWATCHED_MS = 20_000;
/** A lost server is forgotten a minute after its last heartbeat. */
const EMPTY_WITHIN_MS = 15_000;

const anyServer = fc.nat(SERVERS - 1);
const anyDuration = fc.constantFrom(400, 2_000, 6_000, 9_000, 14_000);
const anyStep = fc.record({
  afterMs: fc.constantFrom(0, 20, 300, 1_500, 4_000),
  server: anyServer,
  other: anyServer,
  ms: anyDuration,
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('kill', 'pause', 'stop', 'cut') },
    { weight: 3, arbitrary: fc.constantFrom('database-away', 'database-restarts', 'late', 'loss', 'deaf') },
    { weight: 1, arbitrary: fc.constantFrom('partition', 'clock') },
    { weight: 3, arbitrary: fc.constantFrom('drop', 'replace', 'disable', 'enable', 'request-stop') },
  ),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Each> ? Each : never;

function act(cluster: SimulatedCluster, { what, server, other, ms }: Step): void {
  const { time, chance, database, clients } = cluster;
  const place = cluster.places[server]!;
  const later = (run: () => void) => time.after(ms, undefined, run);
  const client = chance.of(clients);
  const token = chance.of(TOKENS);
  switch (what) {
    case 'kill':
      return cluster.kill(place);
    case 'pause':
      return cluster.pause(place, ms);
    case 'stop':
      return cluster.stop(place);
    case 'cut': {
      const { link } = place;
      link.isCut = true;
      if (chance.is(0.8)) database.deafen(link);
      return void later(() => (link.isCut = false));
    }
    case 'database-away':
      database.isAway = true;
      if (chance.is(0.5)) database.deafen();
      return void later(() => (database.isAway = false));
    case 'database-restarts':
      return database.deafen();
    case 'late':
      database.setSlow(true);
      return void later(() => database.setSlow(false));
    case 'loss':
      database.lossRate = 0.3;
      return void later(() => (database.lossRate = 0));
    case 'deaf':
      return database.deafen(place.link);
    case 'partition':
      return cluster.partition(place, cluster.places[other]!);
    case 'clock':
      place.process.wallOffset += chance.between(-300_000, 300_000);
      return;
    case 'drop':
      return client.drop();
    case 'replace':
      cluster.removeClient(client);
      return cluster.addClient(client.options);
    case 'disable':
    case 'enable':
      return void cluster.addToken({ ...token, isActive: what === 'enable' });
    case 'request-stop': {
      const asked = place.server;
      if (asked) time.after(0, asked.process, () => asked.streams.stop('acme', 'north').catch(() => undefined));
    }
  }
}

async function openCluster(seed: number, nodeRelay: boolean): Promise<SimulatedCluster> {
  const cluster = new SimulatedCluster({ seed, servers: SERVERS, nodeRelay });
  const [publish, view, oneAtOnce, newestOnly] = TOKENS.map((token) => cluster.addToken(token));
  for (const place of cluster.places) cluster.start(place);
  await cluster.time.pass(500);
  const publisher = { role: 'publish', token: publish! } as const;
  const viewer = { role: 'subscribe', token: view! } as const;
  for (const resumable of [true, false]) cluster.addClient({ ...publisher, streamName: 'north', resumable });
  for (const sourceId of [null, 'cam2']) cluster.addClient({ ...publisher, streamName: 'south', sourceId });
  for (const streamName of ['north', 'south']) cluster.addClient({ ...viewer, streamName });
  for (let count = 0; count < 2; count += 1) {
    cluster.addClient({ ...viewer, streamName: 'north', token: oneAtOnce! });
    cluster.addClient({ ...viewer, streamName: 'south', token: newestOnly! });
  }
  return cluster;
}

function leave(cluster: SimulatedCluster, role: 'publish' | 'subscribe'): void {
  for (const client of cluster.clients.filter(({ options }) => options.role === role)) cluster.removeClient(client);
}

/** Which cases a worker runs. */
export interface SimulationOrder {
  readonly seed: number;
  readonly runs: number;
  /** Of a case that failed, after `seed`. */
  readonly path?: string;
}

export interface SimulationResult {
  /** How often a name went to another server. */
  readonly moves: number;
  /** What failed, and how to see it again. Absent: nothing did. */
  readonly failure?: { readonly report: string; readonly path: string };
}

async function simulate({ seed, runs, path }: SimulationOrder): Promise<SimulationResult> {
  let moves = 0;
  const anyStory = fc.record({
    seed: fc.noShrink(fc.integer()),
    nodeRelay: fc.boolean(),
    steps: fc.array(anyStep, { minLength: 1, maxLength: 14, size: 'max' }),
  });
  const property = fc.asyncProperty(anyStory, async ({ steps, ...story }) => {
    const cluster = await openCluster(story.seed, story.nodeRelay);
    const { time } = cluster;
    try {
      for (const step of steps) {
        await time.pass(step.afterMs);
        act(cluster, step);
      }
      await time.pass(5_000);
      cluster.mend();
      for (const token of TOKENS) cluster.addToken(token);
      await time.pass(CONVERGES_WITHIN_MS);
      await assertConverged(cluster, TOKENS);
      leave(cluster, 'subscribe');
      await time.pass(UNWATCHED_MS);
      assertUnwatched(cluster);
      // Those who leave while the database answers now and then.
      cluster.database.lossRate = 0.5;
      leave(cluster, 'publish');
      await time.pass(3_000);
      cluster.mend();
      await time.pass(EMPTY_WITHIN_MS);
      await assertEmpty(cluster);
      moves += cluster.moves;
    } finally {
      cluster.end();
    }
  });
  const result = await fc.check(property, { seed, numRuns: runs, ...(path !== undefined && { path }) });
  if (!result.failed) return { moves };
  const { errorInstance, counterexamplePath } = result;
  const cause = errorInstance instanceof Error ? (errorInstance.stack ?? '') : String(errorInstance);
  return {
    moves,
    failure: { report: `${fc.defaultReportMessage(result) ?? ''}\n${cause}`, path: counterexamplePath ?? '' },
  };
}

parentPort?.postMessage(await simulate(workerData as SimulationOrder));

import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../scripts/build.js';
import { Cleanup } from '../test/support/cleanup.js';
import { clusterProcess } from '../test/support/cluster.js';
import { AcknowledgedWrites } from '../test/support/crowd/acknowledged-writes.js';
import { BroadcastLog, Broadcaster, Watcher } from '../test/support/crowd/broadcasts.js';
import { until } from '../test/support/media/until.js';
import { query, startPostgres } from '../test/support/postgres.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import type { ServerProcess } from '../test/support/server-process.js';
import { askDirector, openSocket } from '../test/support/stream-server.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { collectGarbage, INSPECTED } from './support/garbage-collection.js';
import { slopeOf } from './support/linear-fit.js';
import { median } from './support/percentile.js';
import { processCost } from './support/process-cost.js';
import { progress } from './support/progress.js';

const MINUTES = 30;
const QUICK_MINUTES = 1;
const STREAMS = ['north', 'south'] as const;
const VIEWERS = 40;
/** What happens each second, and what happens less often. A server restarts in the middle of all of it. */
const LEAVES_PER_SECOND = 2;
const REVOKED_EVERY_S = 5;
const RESTARTED_EVERY_S = 60;
const MEASURED_EVERY_S = 10;
/** The part of the run in which heaps and caches grow to their size. */
const WARM_UP = 0.2;
/** Servers have all tokens in memory. With more and more of them, their memory would grow as it should. */
const TOKENS = 1_000;
const REVOKED_WITHIN_MS = 5_000;
const SETTLES_WITHIN_MS = 30_000;

interface Sample {
  readonly second: number;
  /** Of all memory of the server, when its garbage was collected. */
  readonly megabytes: number;
  /** Of what the server keeps in its heap. */
  readonly heapMegabytes: number;
}

/**
 * Three servers on one durable PostgreSQL, for half an hour: viewers come and go, tokens are disabled, tokens are created
 * and deleted without a pause, and one server is restarted again and again. Measures by how much the memory of the two
 * other servers grows from the end of the warm-up to the end, by a straight line through all samples, each of which is
 * taken when the garbage was collected. Counts what is lost: acknowledged changes, sessions that were not recorded, and
 * viewers who were not told that their token was disabled.
 */
export async function run({ quick = false, minutes }: BenchOptions): Promise<BenchResult> {
  const seconds = 60 * (minutes ?? (quick ? QUICK_MINUTES : MINUTES));
  await build({ ifNeeded: true });
  const cleanup = new Cleanup();
  try {
    const postgres = await startPostgres({ durable: true });
    cleanup.after(() => postgres.stop());
    const databaseUrl = await postgres.newDatabase();
    const servers: ServerProcess[] = [];
    for (let index = 0; index < 3; index += 1) {
      const server = await clusterProcess(databaseUrl, { RECORDINGS_DIR: 'off', NODE_OPTIONS: INSPECTED });
      cleanup.after(() => server.stop());
      servers.push(server);
    }
    const [restarted, ...steady] = servers as [ServerProcess, ServerProcess, ServerProcess];
    const secret = String((await steady[0]!.cli('secret', 'create', '--account', 'main'))['secret']);
    const tokens = new RestTokens(steady[0]!.origin, secret);
    const origins = servers.map(({ origin }) => origin);
    const log = new BroadcastLog();
    const broadcasters: Broadcaster[] = [];
    for (const [index, streamName] of STREAMS.entries()) {
      const options = { origins, streamName, first: index, token: await tokens.publish(streamName) };
      broadcasters.push(new Broadcaster(options, log), new Broadcaster({ ...options, first: index + 1 }, log));
    }
    const watchers: Watcher[] = [];
    for (let index = 0; index < VIEWERS; index += 1) {
      const streamName = STREAMS[index % STREAMS.length]!;
      watchers.push(new Watcher({ origins, streamName, first: index, token: await tokens.subscribe(streamName) }, log));
    }
    const clients = [...broadcasters, ...watchers];
    const writes = new AcknowledgedWrites(origins, secret, TOKENS);
    const stopAll = async () => {
      await writes.stop();
      await Promise.all(clients.map((client) => client.stop()));
    };
    cleanup.after(stopAll);

    const samples = steady.map((): Sample[] => []);
    const revocations: Promise<boolean | undefined>[] = [];
    let [leaves, restarts] = [0, 0];
    const begun = performance.now();
    for (let second = 1; second <= seconds; second += 1) {
      for (let each = 0; each < LEAVES_PER_SECOND; each += 1) watchers[(leaves += 1) % VIEWERS]!.leave();
      if (second % REVOKED_EVERY_S === 0) revocations.push(revocation(steady, tokens, second).catch(() => undefined));
      if (second % RESTARTED_EVERY_S === 0) {
        progress(`minute ${second / 60} of ${seconds / 60}`);
        await restarted.restart();
        restarts += 1;
      }
      if (second % MEASURED_EVERY_S === 0) {
        for (const [index, server] of steady.entries()) {
          const heapMegabytes = (await collectGarbage(server.output())) / 1024 ** 2;
          const { residentBytes } = await processCost(server.pid);
          samples[index]!.push({ second, megabytes: residentBytes / 1024 ** 2, heapMegabytes });
        }
      }
      await sleep(Math.max(0, begun + second * 1_000 - performance.now()));
    }

    const told = await Promise.all(revocations);
    const untold = told.filter((isTold) => isTold === false).length;
    await stopAll();
    const opened = clients.flatMap(({ sessionIds }) => sessionIds);
    const lostOnes = async () => {
      const recorded = new Set((await query(databaseUrl, 'select id from session')).map(({ id }) => id));
      return opened.filter((id) => !recorded.has(id)).length;
    };
    const isRecorded = async () => (await lostOnes()) === 0;
    await until('sessions are recorded', isRecorded, SETTLES_WITHIN_MS).catch(() => {
      // The missing ones are in the result.
    });
    const lostSessions = await lostOnes();
    const rows = await query(databaseUrl, `select id::int from token where label = 'acknowledged'`);
    const stored = new Set(rows.map(({ id }) => id));
    const lostWrites =
      writes.ids.filter((id) => !stored.has(id)).length + writes.deleted.filter((id) => stored.has(id)).length;
    const lost = lostWrites + lostSessions + untold + log.overlaps().length;
    const growth = samples.map((ofServer) => growthOf(ofServer, seconds));
    return {
      name: 'soak',
      ratio: Math.max(...growth.map(({ ratio }) => ratio)),
      against: 'the memory of the same server at the end of the warm-up',
      also: [{ ratio: lost, against: 'what is lost: changes, sessions, notices of a revocation', target: { most: 0 } }],
      figures: {
        minutes: seconds / 60,
        megabytesPerHour: Math.max(...growth.map(({ megabytesPerHour }) => megabytesPerHour)),
        medianMegabytes: median(samples.flat().map(({ megabytes }) => megabytes)),
        heapMegabytesPerHour: Math.max(...growth.map(({ heapMegabytesPerHour }) => heapMegabytesPerHour)),
        medianHeapMegabytes: median(samples.flat().map(({ heapMegabytes }) => heapMegabytes)),
        sessions: opened.length,
        lostSessions,
        acknowledgedWrites: writes.ids.length + 2 * writes.deleted.length,
        lostWrites,
        revocations: revocations.length,
        revocationsRefused: told.filter((isTold) => isTold === undefined).length,
        untoldViewers: untold,
        restarts,
        broadcasts: log.count,
        overlappingBroadcasts: log.overlaps().length,
      },
    };
  } finally {
    await cleanup.run();
  }
}

/**
 * A viewer connects, and the token is disabled on another server.
 * @returns whether the viewer is told in time
 * @throws {Error} a server was too busy for one of the calls
 */
async function revocation(servers: readonly ServerProcess[], tokens: RestTokens, turn: number): Promise<boolean> {
  const { Id, Token } = await tokens.create('subscribe_token', { label: 'revoked', streams: [{ streamName: 'main' }] });
  const client = await openSocket(await askDirector(servers[turn % servers.length]!, 'subscribe', Token));
  await tokens.update('subscribe_token', Id, { isActive: false });
  const closed = await Promise.race([client.closed, sleep(REVOKED_WITHIN_MS, undefined, { ref: false })]);
  client.socket.terminate();
  return closed?.code === 4010;
}

interface Growth {
  readonly ratio: number;
  readonly megabytesPerHour: number;
  readonly heapMegabytesPerHour: number;
}

function growthOf(samples: readonly Sample[], seconds: number): Growth {
  const warm = samples.filter(({ second }) => second >= WARM_UP * seconds);
  const perSecond = slopeOf(warm.map(({ second, megabytes }) => [second, megabytes]));
  const begun = median(warm.slice(0, 5).map(({ megabytes }) => megabytes));
  return {
    ratio: 1 + (perSecond * (1 - WARM_UP) * seconds) / begun,
    megabytesPerHour: perSecond * 3_600,
    heapMegabytesPerHour: slopeOf(warm.map(({ second, heapMegabytes }) => [second, heapMegabytes])) * 3_600,
  };
}

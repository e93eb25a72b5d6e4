import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright';
import { build } from '../scripts/build.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import { startServer, type ServerProcess } from '../test/support/server-process.js';
import { ManagementClient } from '../src/management/management-client.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { goLive, openBrowser } from './browsers/broadcaster-browser.js';
import { median } from './support/percentile.js';
import { processCost } from './support/process-cost.js';
import { progress } from './support/progress.js';

const STREAM = 'stills';
/** As the dashboard asks. */
const STILL_EVERY_S = 10;
const ROUND_S = 30;
const ROUNDS = 5;
const QUICK_ROUND_S = 10;

/** What it costs to show a stream on the page Live for a time. */
interface Cost {
  /** Of the server and its media process, as a part of a core. */
  readonly core: number;
  /** What the page loads, in bit/s. */
  readonly loaded: number;
  /** What the broadcaster sends of video, in bit/s. */
  readonly broadcast: number;
}

/**
 * Measures what a picture of a live stream costs in the dashboard: a still every ten seconds, against a muted viewer of
 * the hosted page, of the same broadcast of a real browser. Each is counted beyond what the broadcast costs alone.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const server = await startServer();
  const browser = await openBrowser();
  try {
    const { secret } = await server.cli('secret', 'create');
    const client = new ManagementClient({ endpoint: server.origin, secret: String(secret) });
    const tokens = new RestTokens(server.origin, String(secret));
    await goLive(browser, server.origin, STREAM, await tokens.publish(STREAM));
    const seconds = quick ? QUICK_ROUND_S : ROUND_S;
    const rounds = quick ? 1 : ROUNDS;
    const ways = { alone: nothing, stills: showStills(client), viewer: showViewer(browser, server.origin) };
    const costs: Record<keyof typeof ways, Cost[]> = { alone: [], stills: [], viewer: [] };
    for (let round = 0; round < rounds; round++) {
      for (const way of ['alone', 'stills', 'viewer'] as const) {
        progress(`round ${round + 1} of ${rounds}: ${way}`);
        costs[way].push(await costOf({ server, client, seconds }, ways[way]));
      }
    }
    const middle = (way: keyof typeof ways, field: keyof Cost) => median(costs[way].map((cost) => cost[field]));
    const beyond = (way: keyof typeof ways) => Math.max(0, middle(way, 'core') - middle('alone', 'core'));
    return {
      name: 'stills',
      ratio: beyond('stills') / beyond('viewer'),
      against: 'the CPU time of the server for a muted viewer of the same stream',
      also: [
        {
          ratio: middle('stills', 'loaded') / middle('viewer', 'loaded'),
          against: 'what the page of that viewer loads',
        },
        {
          ratio: middle('stills', 'broadcast') / middle('alone', 'broadcast'),
          against: 'what the broadcaster sends without stills',
        },
      ],
      figures: {
        stillsCorePercent: 100 * beyond('stills'),
        viewerCorePercent: 100 * beyond('viewer'),
        stillsKilobitsPerSecond: middle('stills', 'loaded') / 1_000,
        viewerKilobitsPerSecond: middle('viewer', 'loaded') / 1_000,
        broadcastKilobitsPerSecond: middle('alone', 'broadcast') / 1_000,
        broadcastWithStillsKilobitsPerSecond: middle('stills', 'broadcast') / 1_000,
      },
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Begins to show the stream. */
type Way = () => Promise<Shown>;

interface Shown {
  /** Call once a second. @returns how many bits were loaded since the last call */
  load(second: number): Promise<number>;
  end(): Promise<unknown>;
}

const nothing: Way = async () => ({ load: async () => 0, end: async () => {} });

function showStills(client: ManagementClient): Way {
  return async () => ({
    load: async (second) => (second % STILL_EVERY_S === 0 ? 8 * (await client.streams.still(STREAM)).size : 0),
    end: async () => {},
  });
}

function showViewer(browser: Browser, origin: string): Way {
  return async () => {
    const page = await browser.newPage();
    await page.goto(`${origin}/viewer?streamId=main/${STREAM}&muted=true&startingQuality=low`);
    await page.waitForFunction(
      () => (document.querySelector('stream-viewer')?.shadowRoot?.querySelector('video')?.currentTime ?? 0) > 1,
    );
    const client = new LoadedBits(() =>
      page.evaluate(async () => {
        const stats = await document.querySelector('stream-viewer')!.getStats();
        const reports = [...(stats?.values() ?? [])] as { type: string; bytesReceived?: number }[];
        return reports.reduce(
          (sum, { type, bytesReceived = 0 }) => sum + (type === 'inbound-rtp' ? 8 * bytesReceived : 0),
          0,
        );
      }),
    );
    await client.since();
    return { load: () => client.since(), end: () => page.close() };
  };
}

/** Differences of a counter. */
class LoadedBits {
  readonly #read: () => Promise<number>;
  #before = 0;

  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  async since(): Promise<number> {
    const now = await this.#read();
    const loaded = now - this.#before;
    this.#before = now;
    return loaded;
  }
}

interface Measured {
  readonly server: ServerProcess;
  readonly client: ManagementClient;
  readonly seconds: number;
}

async function costOf({ server, client, seconds }: Measured, begin: Way): Promise<Cost> {
  const shown = await begin();
  const before = await processCost(server.pid);
  const startedAt = performance.now();
  let loaded = 0;
  let broadcast = 0;
  for (let second = 0; second < seconds; second++) {
    loaded += await shown.load(second);
    const [stream] = await client.streams.live();
    broadcast += stream?.sources[0]?.videoBitrate ?? 0;
    await delay(startedAt + (second + 1) * 1_000 - performance.now());
  }
  const took = (performance.now() - startedAt) / 1_000;
  const core = ((await processCost(server.pid)).cpuMicros - before.cpuMicros) / 1e6 / took;
  await shown.end();
  return { core, loaded: loaded / took, broadcast: broadcast / seconds };
}

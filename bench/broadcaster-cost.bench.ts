import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { build } from '../scripts/build.js';
import { Cleanup } from '../test/support/cleanup.js';
import { noteConnections, outboundVideo } from '../test/e2e/support/connections.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import { startServer } from '../test/support/server-process.js';
import type { BenchOptions, BenchResult, Comparison } from './bench-result.js';
import { goLive, openBrowser } from './browsers/broadcaster-browser.js';
import { median } from './support/percentile.js';
import { processCost } from './support/process-cost.js';
import { progress } from './support/progress.js';

const ROUNDS = 2;
const QUICK_ROUNDS = 1;
/** The encoder reaches its bitrate. */
const WARM_UP_MS = 10_000;
const MEASURE_MS = 8_000;
const STREAM = 'broadcaster-cost';

/** Ways to send the video. In `plain` ones the browser refuses to make temporal layers. */
const WAYS = [
  { name: 'vp8Plain', codec: 'vp8', simulcast: false, isPlain: true },
  { name: 'vp8', codec: 'vp8', simulcast: false },
  { name: 'vp8Simulcast', codec: 'vp8', simulcast: true },
  { name: 'h264', codec: 'h264', simulcast: false },
  { name: 'h264Simulcast', codec: 'h264', simulcast: true },
  { name: 'vp9', codec: 'vp9', simulcast: false },
  { name: 'vp9Simulcast', codec: 'vp9', simulcast: true },
] as const;
type WayName = (typeof WAYS)[number]['name'];

interface Round {
  /** Of all processes of Chromium, for each frame of the largest encoding. */
  readonly cpuMicrosPerFrame: number;
  readonly framesPerSecond: number;
  /** Of all encodings. */
  readonly kilobitsPerSecond: number;
  /** Of the largest encoding. */
  readonly qp: number;
}
type Figure = keyof Round;

/**
 * Measures what simulcast and temporal layers cost a broadcaster: the hosted page sends the fake camera of Chromium (720p)
 * in one size and in three, with and without temporal layers.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const server = await startServer({ RESUME_WITHIN_S: '0' });
  const browser = await openBrowser();
  try {
    const { secret } = await server.cli('secret', 'create');
    const token = await new RestTokens(server.origin, String(secret)).publish(STREAM);
    const rounds = new Map<WayName, Round[]>(WAYS.map(({ name }) => [name, []]));
    const count = quick ? QUICK_ROUNDS : ROUNDS;
    for (let round = 0; round < count; round++) {
      for (const way of WAYS) {
        progress(`${way.name}: round ${round + 1} of ${count}`);
        const broadcast = { browser, origin: server.origin, token, serverPid: server.pid };
        rounds.get(way.name)!.push(await measure(broadcast, way));
      }
    }
    const value = (name: WayName, figure: Figure) => median(rounds.get(name)!.map((round) => round[figure]));
    const compare = (figure: Figure, name: WayName, other: WayName, against: string): Comparison => ({
      ratio: value(name, figure) / value(other, figure),
      against,
    });
    const cpu = (name: WayName, other: WayName, what: string) =>
      compare('cpuMicrosPerFrame', name, other, `the CPU time of Chromium for a frame, ${what}`);
    return {
      name: 'broadcaster-cost',
      ...cpu('vp8Simulcast', 'vp8', 'VP8 in three sizes and in one'),
      also: [
        compare('kilobitsPerSecond', 'vp8Simulcast', 'vp8', 'the bitrate, VP8 in three sizes and in one'),
        cpu('h264Simulcast', 'h264', 'H.264 in three sizes and in one'),
        cpu('vp9Simulcast', 'vp9', 'VP9 in three sizes and in one'),
        cpu('vp8', 'vp8Plain', 'VP8 with temporal layers and without'),
        compare('kilobitsPerSecond', 'vp8', 'vp8Plain', 'the bitrate, VP8 with temporal layers and without'),
        compare('qp', 'vp8', 'vp8Plain', 'the quantizer (QP), VP8 with temporal layers and without'),
      ],
      figures: Object.fromEntries(
        WAYS.flatMap(({ name }) =>
          (['cpuMicrosPerFrame', 'framesPerSecond', 'kilobitsPerSecond', 'qp'] as const).map((figure) => [
            name + figure[0]!.toUpperCase() + figure.slice(1),
            value(name, figure),
          ]),
        ),
      ),
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}

interface Broadcast {
  readonly browser: Browser;
  readonly origin: string;
  readonly token: string;
  readonly serverPid: number;
}

async function measure({ browser, origin, token, serverPid }: Broadcast, way: (typeof WAYS)[number]): Promise<Round> {
  const cleanup = new Cleanup();
  try {
    const context = await browser.newContext();
    cleanup.after(() => context.close());
    const page = await goLive(browser, origin, STREAM, token, {
      newPage: async () => {
        const opened = await context.newPage();
        await noteConnections(opened);
        if ('isPlain' in way) await opened.addInitScript(refuseLayers);
        return opened;
      },
      query: `&codec=${way.codec}&simulcast=${way.simulcast}`,
    });
    await sleep(WARM_UP_MS);
    const [before, cpuBefore, startedAt] = [await sent(page), await browserCpu(serverPid), performance.now()];
    await sleep(MEASURE_MS);
    const [after, cpuAfter, endedAt] = [await sent(page), await browserCpu(serverPid), performance.now()];
    if (after.encodings !== (way.simulcast ? 3 : 1)) throw new Error(`${way.name}: ${after.encodings} encodings`);
    const frames = after.frames - before.frames;
    const seconds = (endedAt - startedAt) / 1_000;
    return {
      cpuMicrosPerFrame: (cpuAfter - cpuBefore) / frames,
      framesPerSecond: frames / seconds,
      kilobitsPerSecond: ((after.bytes - before.bytes) * 8) / 1_000 / seconds,
      qp: (after.qpSum - before.qpSum) / frames,
    };
  } finally {
    await cleanup.run();
  }
}

/** This process starts Chromium and the server. What it needs itself is the same in all rounds. */
async function browserCpu(serverPid: number): Promise<number> {
  const [all, server] = await Promise.all([processCost(process.pid), processCost(serverPid)]);
  return all.cpuMicros - server.cpuMicros;
}

/** Runs in the page. */
function refuseLayers(): void {
  RTCRtpSender.prototype.setParameters = () => Promise.reject(new DOMException('No layers', 'OperationError'));
}

/** Counters of the video that a page sends: the bytes of all encodings, and the frames of the largest. */
async function sent(page: Page) {
  const videos = await outboundVideo(page);
  const { framesEncoded: frames, qpSum } = videos.at(-1)!;
  return { encodings: videos.length, bytes: videos.reduce((sum, { bytesSent }) => sum + bytesSent, 0), frames, qpSum };
}

import type { Browser } from 'playwright';
import { build } from '../scripts/build.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import { startServer } from '../test/support/server-process.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { goLive, openBrowser } from './browsers/broadcaster-browser.js';
import { DelayedNetwork } from './browsers/delayed-network.js';
import { stepFigures, traceFirstFrame, type FirstFrame } from './browsers/first-frame-trace.js';
import { median, percentile } from './support/percentile.js';
import { attempt, Misses } from './crowds/misses.js';
import { serveViewerPages } from './browsers/viewer-pages.js';
import { progress } from './support/progress.js';

const ROUNDS = 30;
const DELAYED_ROUNDS = 20;
const QUICK_ROUNDS = 2;
/** Typical between neighbouring countries. */
const ROUND_TRIP_MS = 40;
const STREAM = 'first-frame';

/**
 * Measures the time from opening a page with a live stream to its first frame: with our tag on a customer's page, on the
 * viewer page that the server hosts, and with the viewer of the unmodified SDK on a customer's page. Each page is opened
 * in a fresh profile, and the rounds alternate. All is measured twice: on the loopback interface, where a round trip
 * takes no time, and over a network with the round trip of a real one. The steps show where the time is spent. Pages
 * that are refused, or show no frame in time, are counted.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const server = await startServer();
  const browser = await openBrowser();
  const network = new DelayedNetwork(ROUND_TRIP_MS);
  const [delayedEndpoint, stream] = [await network.origin(server.origin), { accountId: 'main', streamName: STREAM }];
  const pages = await serveViewerPages({ ...stream, endpoint: server.origin });
  const delayedPages = await serveViewerPages({ ...stream, endpoint: delayedEndpoint });
  try {
    const { secret } = await server.cli('secret', 'create');
    const token = await new RestTokens(server.origin, String(secret)).publish(STREAM);
    await goLive(browser, server.origin, STREAM, token);

    const hosted = `/viewer?streamId=main/${STREAM}`;
    const misses = new Misses();
    const direct = await compare(
      { browser, misses, rounds: quick ? QUICK_ROUNDS : ROUNDS },
      { tag: pages.tag, hosted: server.origin + hosted, sdk: pages.sdk },
    );
    const delayedSite = await network.origin(delayedPages.tag);
    const delayedPage = (page: string) => delayedSite + new URL(page).pathname;
    const addresses = {
      tag: delayedPage(delayedPages.tag),
      hosted: delayedEndpoint + hosted,
      sdk: delayedPage(delayedPages.sdk),
    };
    const delayed = await compare(
      { browser, misses, rounds: quick ? QUICK_ROUNDS : DELAYED_ROUNDS },
      addresses,
      network,
    );
    const ratio = (viewers: Comparison, viewer: 'tag' | 'hosted') =>
      median(times(viewers[viewer])) / median(times(viewers.sdk));
    return {
      name: 'first-frame',
      ratio: ratio(direct, 'tag'),
      against: 'the time of the unmodified @millicast/sdk 0.6.1 viewer, both on a customer’s page',
      also: [
        { ratio: ratio(direct, 'hosted'), against: 'the same, our hosted page' },
        { ratio: ratio(delayed, 'tag'), against: `the same, both over a round trip of ${ROUND_TRIP_MS} ms` },
        { ratio: ratio(delayed, 'hosted'), against: `the same over ${ROUND_TRIP_MS} ms, our hosted page` },
      ],
      figures: { ...misses.figures, ...figures('', direct), ...figures('delayed', delayed) },
    };
  } finally {
    pages.stop();
    delayedPages.stop();
    await browser.close();
    await network.close();
    await server.stop();
  }
}

/** The first frames of each viewer of the same stream. */
type Comparison = Readonly<Record<'tag' | 'hosted' | 'sdk', FirstFrame[]>>;

async function compare(
  { browser, misses, rounds }: { readonly browser: Browser; readonly misses: Misses; readonly rounds: number },
  addresses: Readonly<Record<keyof Comparison, string>>,
  network?: DelayedNetwork,
): Promise<Comparison> {
  const frames: Comparison = { tag: [], hosted: [], sdk: [] };
  const viewers = ['tag', 'hosted', 'sdk'] as const;
  // The first round warms the browser and the server.
  for (let round = -1; round < rounds; round += 1) {
    const where = network ? 'delayed network' : 'loopback interface';
    progress(`${where}: ${round < 0 ? 'warm-up' : `round ${round + 1} of ${rounds}`}`);
    for (let turn = 0; turn < viewers.length; turn += 1) {
      // Each viewer is first equally often, and follows each other viewer equally often.
      const viewer = viewers[(round + 1 + (round % 2 ? turn : viewers.length - turn)) % viewers.length]!;
      const tag = viewer === 'sdk' ? 'sdk-viewer' : 'stream-viewer';
      const frame = await attempt(traceFirstFrame(browser, addresses[viewer], tag, network));
      if (round >= 0) frames[viewer].push(...misses.countMisses([frame]));
    }
  }
  return frames;
}

const times = (frames: readonly FirstFrame[]): number[] => frames.map(({ ms }) => ms);

/** @param prefix precedes the name of each figure */
function figures(prefix: string, { tag, hosted, sdk }: Comparison): Record<string, number> {
  const named: Record<string, number> = {
    medianMs: median(times(tag)),
    p90Ms: percentile(times(tag), 90),
    hostedMedianMs: median(times(hosted)),
    hostedP90Ms: percentile(times(hosted), 90),
    sdkMedianMs: median(times(sdk)),
    sdkP90Ms: percentile(times(sdk), 90),
    ...stepFigures('tag', tag),
    ...stepFigures('hosted', hosted),
    ...stepFigures('sdk', sdk),
  };
  const name = (figure: string) => (prefix ? prefix + figure[0]!.toUpperCase() + figure.slice(1) : figure);
  return Object.fromEntries(Object.entries(named).map(([figure, value]) => [name(figure), value]));
}

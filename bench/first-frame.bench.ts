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
const FAR_ROUNDS = 20;
const QUICK_ROUNDS = 2;
/** Of a page and a server in neighbouring countries. */
const ROUND_TRIP_MS = 40;
const STREAM = 'first-frame';

/**
 * How soon somebody who opens a page with a running stream sees the picture, against the unmodified SDK's viewer on
 * the same server and stream: by our tag on a customer's page, as the SDK's is, and by the page that the server hosts.
 * Each page is opened anew in a fresh profile, and the rounds alternate. Once with everything on one machine, where a
 * round trip costs nothing; and once with a round trip as networks have it between the browser and all that it
 * reaches. The steps say where the time goes. A page that is refused, or shows nothing in time, is counted.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const server = await startServer();
  const browser = await openBrowser();
  const network = new DelayedNetwork(ROUND_TRIP_MS);
  const [farEndpoint, stream] = [await network.origin(server.origin), { accountId: 'main', streamName: STREAM }];
  const pages = await serveViewerPages({ ...stream, endpoint: server.origin });
  const farPages = await serveViewerPages({ ...stream, endpoint: farEndpoint });
  try {
    const { secret } = await server.cli('secret', 'create');
    const token = await new RestTokens(server.origin, String(secret)).publish(STREAM);
    await goLive(browser, server.origin, STREAM, token);

    const hosted = `/viewer?streamId=main/${STREAM}`;
    const misses = new Misses();
    const near = await compare(
      { browser, misses, rounds: quick ? QUICK_ROUNDS : ROUNDS },
      { tag: pages.tag, hosted: server.origin + hosted, sdk: pages.sdk },
    );
    const farSite = await network.origin(farPages.tag);
    const farPage = (page: string) => farSite + new URL(page).pathname;
    const addresses = { tag: farPage(farPages.tag), hosted: farEndpoint + hosted, sdk: farPage(farPages.sdk) };
    const far = await compare({ browser, misses, rounds: quick ? QUICK_ROUNDS : FAR_ROUNDS }, addresses, network);
    const ratio = (ways: Comparison, way: 'tag' | 'hosted') => median(times(ways[way])) / median(times(ways.sdk));
    return {
      name: 'first-frame',
      ratio: ratio(near, 'tag'),
      against: 'the time of the unmodified @millicast/sdk 0.6.1 viewer, both on a customer’s page',
      also: [
        { ratio: ratio(near, 'hosted'), against: 'that time, by the hosted page' },
        { ratio: ratio(far, 'tag'), against: `that time, both over a round trip of ${ROUND_TRIP_MS} ms` },
        { ratio: ratio(far, 'hosted'), against: `that time over ${ROUND_TRIP_MS} ms, by the hosted page` },
      ],
      figures: { ...misses.figures, ...figures('', near), ...figures('far', far) },
    };
  } finally {
    pages.stop();
    farPages.stop();
    await browser.close();
    await network.close();
    await server.stop();
  }
}

/** What was seen of each way to the same picture. */
type Comparison = Readonly<Record<'tag' | 'hosted' | 'sdk', FirstFrame[]>>;

async function compare(
  { browser, misses, rounds }: { readonly browser: Browser; readonly misses: Misses; readonly rounds: number },
  addresses: Readonly<Record<keyof Comparison, string>>,
  network?: DelayedNetwork,
): Promise<Comparison> {
  const seen: Comparison = { tag: [], hosted: [], sdk: [] };
  const ways = ['tag', 'hosted', 'sdk'] as const;
  // The first round warms the browser and the server.
  for (let round = -1; round < rounds; round += 1) {
    progress(`${network ? 'far away' : 'near'}, ${round < 0 ? 'to warm up' : `round ${round + 1} of ${rounds}`}`);
    for (let turn = 0; turn < ways.length; turn += 1) {
      // Each is as often the first, and comes as often after each other.
      const way = ways[(round + 1 + (round % 2 ? turn : ways.length - turn)) % ways.length]!;
      const tag = way === 'sdk' ? 'sdk-viewer' : 'stream-viewer';
      const frame = await attempt(traceFirstFrame(browser, addresses[way], tag, network));
      if (round >= 0) seen[way].push(...misses.countMisses([frame]));
    }
  }
  return seen;
}

const times = (frames: readonly FirstFrame[]): number[] => frames.map(({ ms }) => ms);

/** @param where in front of each name */
function figures(where: string, { tag, hosted, sdk }: Comparison): Record<string, number> {
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
  const name = (figure: string) => (where ? where + figure[0]!.toUpperCase() + figure.slice(1) : figure);
  return Object.fromEntries(Object.entries(named).map(([figure, value]) => [name(figure), value]));
}

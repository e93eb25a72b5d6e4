import type { Browser } from 'playwright';
import { build } from '../scripts/build.js';
import { sdpOffer } from '../test/support/media/offer.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import { startServer } from '../test/support/server-process.js';
import { askDirector, openSocket } from '../test/support/stream-server.js';
import type { BenchResult } from './bench-result.js';
import { goLive, openBrowser } from './support/browsers.js';
import { openTraced } from './support/first-frame-trace.js';
import { median, percentile } from './support/middle.js';
import { serveViewerPages } from './support/viewer-pages.js';

const ROUNDS = 16;
const STREAM = 'start-latency';

interface Place {
  /** Of the server. */
  readonly origin: string;
  readonly publishToken: string;
  readonly subscribeToken: string;
}

/**
 * How soon those who wait see a picture when the broadcast begins: a page with our tag, and one with the unmodified
 * SDK's viewer, both waiting for the same broadcast of a real browser. It is counted from the server's word that the
 * first packet came (`active`), as a third one who waits hears it.
 */
export async function run(): Promise<BenchResult> {
  await build({ ifNeeded: true });
  // A broadcaster who closed the page is gone at once.
  const server = await startServer({ RESUME_WITHIN_S: '0' });
  const browser = await openBrowser();
  const { secret } = await server.cli('secret', 'create');
  const { origin } = server;
  const tokens = new RestTokens(origin, String(secret));
  const [publishToken, subscribeToken] = [await tokens.publish(STREAM), await tokens.subscribe(STREAM)];
  const place = { origin, publishToken, subscribeToken };
  const pages = await serveViewerPages({
    endpoint: origin,
    accountId: 'main',
    streamName: STREAM,
    token: subscribeToken,
  });
  const ours = { url: pages.tag, tag: 'stream-viewer', ms: [] as number[] };
  const theirs = { url: pages.sdk, tag: 'sdk-viewer', ms: [] as number[] };
  try {
    // The first round warms the browser and the server.
    for (let round = -1; round < ROUNDS; round++) {
      // Who came first is told first.
      const waiting = round % 2 ? [ours, theirs] : [theirs, ours];
      const took = await timeStart(browser, place, waiting);
      if (round >= 0) waiting.forEach(({ ms }, index) => ms.push(took[index]!));
    }
    return {
      name: 'start-latency',
      ratio: median(ours.ms) / median(theirs.ms),
      against: 'the time of the unmodified @millicast/sdk 0.6.1 viewer that waited beside it',
      figures: {
        medianMs: median(ours.ms),
        p90Ms: percentile(ours.ms, 90),
        sdkMedianMs: median(theirs.ms),
        sdkP90Ms: percentile(theirs.ms, 90),
      },
    };
  } finally {
    pages.stop();
    await browser.close();
    await server.stop();
  }
}

/** Has them wait in this order, begins a broadcast, and ends it. @returns how long each waited for its picture, in ms */
async function timeStart(
  browser: Browser,
  { origin, publishToken, subscribeToken }: Place,
  waiting: readonly { readonly url: string; readonly tag: string }[],
): Promise<number[]> {
  const pages = [];
  for (const { url, tag } of waiting) {
    const page = await openTraced(browser, url, tag);
    pages.push(page);
    await page.connected();
  }
  const wanted = { streamName: STREAM, streamAccountId: 'main' };
  const listener = await openSocket(await askDirector({ origin }, 'subscribe', subscribeToken, wanted));
  await listener.command('view', { streamId: STREAM, sdp: sdpOffer() });
  const active = listener.event('active').then(() => performance.timeOrigin + performance.now());
  const broadcaster = await goLive(browser, origin, STREAM, publishToken);
  const [began, ...frames] = await Promise.all([active, ...pages.map((page) => page.frame())]);

  const inactive = listener.event('inactive');
  await broadcaster.close();
  await inactive;
  listener.socket.close();
  await Promise.all(pages.map((page) => page.close()));
  return frames.map(({ at }) => at - began);
}

import type { Browser } from 'playwright';
import { build } from '../scripts/build.js';
import { sdpOffer } from '../test/support/media/offer.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import { Cleanup } from '../test/support/cleanup.js';
import { startServer } from '../test/support/server-process.js';
import type { TestClient } from '../test/support/stream-server.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { goLive, openBrowser } from './browsers/broadcaster-browser.js';
import { openTraced, type TracedPage } from './browsers/first-frame-trace.js';
import { median, percentile } from './support/percentile.js';
import { attempt, Misses, within } from './crowds/misses.js';
import { serveViewerPages } from './browsers/viewer-pages.js';
import { answered, enter, view } from './crowds/waiting-viewer.js';
import { progress } from './support/progress.js';

const ROUNDS = 16;
const QUICK_ROUNDS = 2;
/** The longest wait for an event of the server. */
const EVENT_WITHIN_MS = 30_000;
const STREAM = 'start-latency';

/** Times from the event of the server, in ms. */
interface Start {
  /** The first frame is shown. */
  readonly ms: number;
  /** Its last packet has arrived: nothing in the page can make it sooner. */
  readonly arrivedMs: number;
}

interface Endpoint {
  /** The origin of the server. */
  readonly origin: string;
  readonly publishToken: string;
  readonly subscribeToken: string;
}

/**
 * Measures how soon waiting viewers see a picture when a broadcast begins: a page with our tag, and a page with the
 * unmodified SDK's viewer, both waiting for the same broadcast of a real browser. The time is counted from the event
 * `active`, which the server sends at the first packet, as a third viewer receives it. A round in which one page shows
 * no picture is left out for both, and is counted.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  await build({ ifNeeded: true });
  // The server removes a broadcaster as soon as the page is closed.
  const server = await startServer({ RESUME_WITHIN_S: '0' });
  const browser = await openBrowser();
  const { secret } = await server.cli('secret', 'create');
  const { origin } = server;
  const tokens = new RestTokens(origin, String(secret));
  const [publishToken, subscribeToken] = [await tokens.publish(STREAM), await tokens.subscribe(STREAM)];
  const endpoint = { origin, publishToken, subscribeToken };
  const pages = await serveViewerPages({
    endpoint: origin,
    accountId: 'main',
    streamName: STREAM,
    token: subscribeToken,
  });
  const ours = { url: pages.tag, tag: 'stream-viewer', starts: [] as Start[] };
  const sdk = { url: pages.sdk, tag: 'sdk-viewer', starts: [] as Start[] };
  try {
    // The first round warms the browser and the server.
    const misses = new Misses();
    const rounds = quick ? QUICK_ROUNDS : ROUNDS;
    for (let round = -1; round < rounds; round++) {
      progress(round < 0 ? 'warm-up' : `round ${round + 1} of ${rounds}`);
      // The server sends the event first to the viewer that connected first, so the order alternates.
      const waiting = round % 2 ? [ours, sdk] : [sdk, ours];
      const [took] = misses.countMisses([await attempt(timeStart(browser, endpoint, waiting))]);
      if (round >= 0 && took) waiting.forEach(({ starts }, index) => starts.push(took[index]!));
    }
    const [oursMs, sdkMs] = [ours, sdk].map(({ starts }) => starts.map(({ ms }) => ms)) as [number[], number[]];
    return {
      name: 'start-latency',
      ratio: median(oursMs) / median(sdkMs),
      against: 'the time of the unmodified @millicast/sdk 0.6.1 viewer, which waits at the same time',
      figures: {
        roundsRefused: misses.refused,
        roundsWithoutPicture: misses.withoutPicture,
        medianMs: median(oursMs),
        p90Ms: percentile(oursMs, 90),
        arrivedMedianMs: median(ours.starts.map(({ arrivedMs }) => arrivedMs)),
        sdkMedianMs: median(sdkMs),
        sdkP90Ms: percentile(sdkMs, 90),
        sdkArrivedMedianMs: median(sdk.starts.map(({ arrivedMs }) => arrivedMs)),
      },
    };
  } finally {
    pages.stop();
    await browser.close();
    await server.stop();
  }
}

/**
 * Opens the waiting pages in this order, begins a broadcast, and ends it. Closes everything, also after an error.
 * @returns the start of each page
 * @throws {RefusedError}
 * @throws {NoPictureError}
 */
async function timeStart(
  browser: Browser,
  { origin, publishToken, subscribeToken }: Endpoint,
  waiting: readonly { readonly url: string; readonly tag: string }[],
): Promise<Start[]> {
  const cleanup = new Cleanup();
  try {
    const pages: TracedPage[] = [];
    for (const { url, tag } of waiting) {
      const page = await openTraced(browser, url, tag);
      cleanup.after(() => page.close());
      pages.push(page);
      await page.connected();
    }
    // A third waiting viewer, without media, receives the event.
    const listener = await enter(origin, { streamName: STREAM, token: subscribeToken });
    cleanup.after(() => listener.socket.close());
    await view(listener, STREAM, sdpOffer());
    const active = receive(listener, 'active').then(() => performance.timeOrigin + performance.now());
    // Awaited below. If the broadcaster does not go live, this rejection has no other handler.
    active.catch(() => {});
    const broadcaster = await goLive(browser, origin, STREAM, publishToken);
    cleanup.after(async () => {
      const inactive = receive(listener, 'inactive');
      await broadcaster.close();
      await attempt(inactive);
    });
    const [began, ...frames] = await Promise.all([active, ...pages.map((page) => page.frame())]);
    return frames.map(({ at, steps }) => ({ ms: at - began, arrivedMs: at - began - steps.show }));
  } finally {
    await cleanup.run();
  }
}

function receive(listener: TestClient, event: string): Promise<unknown> {
  return answered(within(EVENT_WITHIN_MS, listener.event(event), `the event ${event}`));
}

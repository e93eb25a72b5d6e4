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
/** Of the server's word, in ms. */
const PATIENCE_MS = 30_000;
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
 * first packet came (`active`), as a third one who waits hears it. A round in which one of them sees nothing counts for
 * neither, and is counted.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
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
    const misses = new Misses();
    const rounds = quick ? QUICK_ROUNDS : ROUNDS;
    for (let round = -1; round < rounds; round++) {
      progress(round < 0 ? 'to warm up' : `round ${round + 1} of ${rounds}`);
      // Who came first is told first.
      const waiting = round % 2 ? [ours, theirs] : [theirs, ours];
      const [took] = misses.countMisses([await attempt(timeStart(browser, place, waiting))]);
      if (round >= 0 && took) waiting.forEach(({ ms }, index) => ms.push(took[index]!));
    }
    return {
      name: 'start-latency',
      ratio: median(ours.ms) / median(theirs.ms),
      against: 'the time of the unmodified @millicast/sdk 0.6.1 viewer that waited beside it',
      figures: {
        roundsRefused: misses.refused,
        roundsWithoutPicture: misses.withoutPicture,
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

/**
 * Has them wait in this order, begins a broadcast, and ends it. Leaves nothing open, whatever comes of it.
 * @returns how long each waited for its picture, in ms
 * @throws {RefusedError}
 * @throws {NoPictureError}
 */
async function timeStart(
  browser: Browser,
  { origin, publishToken, subscribeToken }: Place,
  waiting: readonly { readonly url: string; readonly tag: string }[],
): Promise<number[]> {
  const cleanup = new Cleanup();
  try {
    const pages: TracedPage[] = [];
    for (const { url, tag } of waiting) {
      const page = await openTraced(browser, url, tag);
      cleanup.after(() => page.close());
      pages.push(page);
      await page.connected();
    }
    // A third one who waits, without media.
    const listener = await enter(origin, { streamName: STREAM, token: subscribeToken });
    cleanup.after(() => listener.socket.close());
    await view(listener, STREAM, sdpOffer());
    const active = hear(listener, 'active').then(() => performance.timeOrigin + performance.now());
    // It is waited for below; a broadcaster that does not go live comes first.
    active.catch(() => {});
    const broadcaster = await goLive(browser, origin, STREAM, publishToken);
    cleanup.after(async () => {
      const inactive = hear(listener, 'inactive');
      await broadcaster.close();
      await attempt(inactive);
    });
    const [began, ...frames] = await Promise.all([active, ...pages.map((page) => page.frame())]);
    return frames.map(({ at }) => at - began);
  } finally {
    await cleanup.run();
  }
}

function hear(listener: TestClient, event: string): Promise<unknown> {
  return answered(within(PATIENCE_MS, listener.event(event), `the word ${event}`));
}

import { chromium, type Browser } from 'playwright';
import { build } from '../scripts/build.js';
import { browserArguments, findBrowser } from '../scripts/find-browser.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import { serveSdkPage } from '../test/support/sdk-page.js';
import { startServer } from '../test/support/server-process.js';
import type { BenchResult } from './bench-result.js';

const ROUNDS = 9;
const STREAM = 'first-frame';

/** Runs in the page from its very beginning: notes when the first frame of the tag's video was decoded. */
const watchForFirstFrame = (tag: string) => `(function look() {
  const video = document.querySelector('${tag}')?.shadowRoot?.querySelector('video');
  if (!video) return requestAnimationFrame(look);
  video.requestVideoFrameCallback((now) => document.documentElement.setAttribute('data-first-frame', now));
})()`;

/** Milliseconds from opening the address to its first frame, in a fresh profile: nothing is cached. */
async function firstFrame(browser: Browser, url: string, tag: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.addInitScript(watchForFirstFrame(tag));
    await page.goto(url);
    const shown = page.locator('html[data-first-frame]');
    await shown.waitFor({ state: 'attached', timeout: 20_000 });
    return Number(await shown.getAttribute('data-first-frame'));
  } finally {
    await context.close();
  }
}

/** The shortest way to play a stream with the SDK, as its documentation shows it. */
const sdkViewer = (endpoint: string) => `
  const video = document.createElement('video');
  video.muted = video.autoplay = true;
  document.querySelector('sdk-viewer').attachShadow({ mode: 'open' }).append(video);
  const { Director, View } = millicast;
  Director.setEndpoint('${endpoint}');
  const view = new View('${STREAM}', () =>
    Director.getSubscriber({ streamName: '${STREAM}', streamAccountId: 'main' }),
  );
  view.on('track', (event) => { video.srcObject = event.streams[0]; });
  view.connect();`;

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/**
 * How soon somebody who opens the hosted viewer sees the picture, against the unmodified SDK's viewer on the same
 * server and stream. The rounds alternate; each page loads its script anew.
 */
export async function run(): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const server = await startServer();
  const executablePath = findBrowser();
  const browser = await chromium.launch({
    args: [...browserArguments, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    ...(executablePath && { executablePath }),
  });
  const sdk = await serveSdkPage(sdkViewer(server.origin));
  try {
    const { secret } = await server.cli('secret', 'create');
    const token = await new RestTokens(server.origin, String(secret)).publish(STREAM);
    const broadcaster = await browser.newPage();
    await broadcaster.goto(`${server.origin}/broadcaster?streamName=${STREAM}#token=${token}`);
    await broadcaster.getByRole('button', { name: 'Go live' }).click();

    const ours: number[] = [];
    const theirs: number[] = [];
    const viewer = `${server.origin}/viewer?streamId=main/${STREAM}`;
    await broadcaster
      .getByText(/^live$/i)
      .first()
      .waitFor();
    for (let round = -1; round < ROUNDS; round += 1) {
      const pair = [
        await firstFrame(browser, viewer, 'stream-viewer'),
        await firstFrame(browser, sdk.url, 'sdk-viewer'),
      ];
      // The first round warms the browser and the server.
      if (round < 0) continue;
      ours.push(pair[0]!);
      theirs.push(pair[1]!);
    }
    return {
      name: 'first-frame',
      ratio: median(ours) / median(theirs),
      against: 'the time of the unmodified @millicast/sdk 0.6.1 viewer',
      figures: {
        medianMs: median(ours),
        slowestMs: Math.max(...ours),
        sdkMedianMs: median(theirs),
        sdkSlowestMs: Math.max(...theirs),
      },
    };
  } finally {
    sdk.stop();
    await browser.close();
    await server.stop();
  }
}

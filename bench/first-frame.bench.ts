import { build } from '../scripts/build.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import { startServer } from '../test/support/server-process.js';
import type { BenchResult } from './bench-result.js';
import { goLive, openBrowser } from './support/browsers.js';
import { stepFigures, traceFirstFrame, type FirstFrame } from './support/first-frame-trace.js';
import { median, percentile } from './support/middle.js';
import { serveViewerPages } from './support/viewer-pages.js';

const ROUNDS = 30;
const STREAM = 'first-frame';

/**
 * How soon somebody who opens a page with a running stream sees the picture, against the unmodified SDK's viewer on
 * the same server and stream: by our tag on a customer's page, as the SDK's is, and by the page that the server hosts.
 * Each page is opened anew in a fresh profile, and the rounds alternate. The steps say where the time goes.
 */
export async function run(): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const server = await startServer();
  const pages = await serveViewerPages({ endpoint: server.origin, accountId: 'main', streamName: STREAM });
  const browser = await openBrowser();
  try {
    const { secret } = await server.cli('secret', 'create');
    const token = await new RestTokens(server.origin, String(secret)).publish(STREAM);
    await goLive(browser, server.origin, STREAM, token);

    const ways = [
      { url: pages.tag, tag: 'stream-viewer', frames: [] as FirstFrame[] },
      { url: `${server.origin}/viewer?streamId=main/${STREAM}`, tag: 'stream-viewer', frames: [] as FirstFrame[] },
      { url: pages.sdk, tag: 'sdk-viewer', frames: [] as FirstFrame[] },
    ] as const;
    // The first round warms the browser and the server.
    for (let round = -1; round < ROUNDS; round += 1) {
      for (let turn = 0; turn < ways.length; turn += 1) {
        // Each is as often the first, and comes as often after each other.
        const { url, tag, frames } = ways[(round + 1 + (round % 2 ? turn : ways.length - turn)) % ways.length]!;
        const frame = await traceFirstFrame(browser, url, tag);
        if (round >= 0) frames.push(frame);
      }
    }
    const [ours, hosted, sdk] = ways.map(({ frames }) => frames.map(({ ms }) => ms)) as [number[], number[], number[]];
    return {
      name: 'first-frame',
      ratio: median(ours) / median(sdk),
      against: 'the time of the unmodified @millicast/sdk 0.6.1 viewer, both on a customer’s page',
      also: [{ ratio: median(hosted) / median(sdk), against: 'that time, by the hosted page' }],
      figures: {
        medianMs: median(ours),
        p90Ms: percentile(ours, 90),
        hostedMedianMs: median(hosted),
        hostedP90Ms: percentile(hosted, 90),
        sdkMedianMs: median(sdk),
        sdkP90Ms: percentile(sdk, 90),
        ...stepFigures('tag', ways[0].frames),
        ...stepFigures('hosted', ways[1].frames),
        ...stepFigures('sdk', ways[2].frames),
      },
    };
  } finally {
    pages.stop();
    await browser.close();
    await server.stop();
  }
}

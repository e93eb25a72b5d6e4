import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../scripts/build.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import { startServer } from '../test/support/server-process.js';
import type { BenchResult } from './bench-result.js';
import { AskedProcess } from './support/asked-process.js';
import { goLive, openBrowser } from './support/browsers.js';
import { traceFirstFrame } from './support/first-frame-trace.js';
import { median, percentile } from './support/middle.js';
import type { Storm } from './support/storm.js';

const STREAM = 'storm';
const VIEWERS = 200;
const OVER_MS = 5_000;
const STORMS = 3;
const ALONE = 20;
/** When a browser opens the page amid the others. */
const PAGES_AT_MS = [1_000, 2_500, 4_000];
const PLAYING_WITHIN_MS = 1_000;

/**
 * 200 viewers in 5 s on a stream that a real browser sends, all the whole way: the director's call, the websocket,
 * the negotiation, ICE, DTLS, and media until a keyframe is there, which is what "first frame" means of viewers that
 * decode nothing. Against the same viewer alone. Among them are a few browsers, whose frame is one that is shown.
 */
export async function run(): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const server = await startServer();
  const storm = await AskedProcess.start<Storm>('storm.ts');
  const browser = await openBrowser();
  try {
    const { secret } = await server.cli('secret', 'create');
    const token = await new RestTokens(server.origin, String(secret)).publish(STREAM);
    await goLive(browser, server.origin, STREAM, token);
    const come = (viewers: number, overMs: number) =>
      storm.ask('come', { origin: server.origin, streamName: STREAM, viewers, overMs });
    const openPage = async () =>
      (await traceFirstFrame(browser, `${server.origin}/viewer?streamId=main/${STREAM}`, 'stream-viewer')).ms;

    // The first of each warms what is used.
    const alone: number[] = [];
    const pageAlone: number[] = [];
    for (let turn = -1; turn < ALONE; turn++) {
      const [ms] = await come(1, 0);
      await storm.ask('leave', null);
      if (turn >= 0) alone.push(ms!);
    }
    for (let turn = -1; turn < PAGES_AT_MS.length; turn++) {
      const ms = await openPage();
      if (turn >= 0) pageAlone.push(ms);
    }

    const amid: number[] = [];
    const pagesAmid: number[] = [];
    const playing: number[] = [];
    for (let turn = 0; turn < STORMS; turn++) {
      const [frames, ...pages] = await Promise.all([
        come(VIEWERS, OVER_MS),
        ...PAGES_AT_MS.map((ms) => sleep(ms).then(openPage)),
      ]);
      amid.push(...frames);
      pagesAmid.push(...pages);
      playing.push(await storm.ask('playing', PLAYING_WITHIN_MS));
      await storm.ask('leave', null);
    }
    const shown = amid.filter((ms) => ms >= 0);
    return {
      name: 'join-storm',
      ratio: percentile(shown, 95) / percentile(alone, 95),
      against: 'the time to the first frame of a viewer alone, 95th percentile of both',
      also: [{ ratio: median(pagesAmid) / median(pageAlone), against: 'the time to it of a browser alone, medians' }],
      figures: {
        viewers: VIEWERS,
        withoutFrame: amid.length - shown.length,
        fewestPlaying: Math.min(...playing),
        medianMs: median(shown),
        p95Ms: percentile(shown, 95),
        slowestMs: Math.max(...shown),
        aloneMedianMs: median(alone),
        aloneP95Ms: percentile(alone, 95),
        browserMedianMs: median(pagesAmid),
        browserAloneMedianMs: median(pageAlone),
      },
    };
  } finally {
    await browser.close();
    await storm.stop();
    await server.stop();
  }
}

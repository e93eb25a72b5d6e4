import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../scripts/build.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import { startServer } from '../test/support/server-process.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { BenchProcess } from './support/bench-process.js';
import { goLive, openBrowser } from './browsers/broadcaster-browser.js';
import { traceFirstFrame } from './browsers/first-frame-trace.js';
import { median, percentile } from './support/percentile.js';
import { attempt, Misses, NoPictureError, RefusedError, type Attempt } from './crowds/misses.js';
import type { Joined, Storm } from './crowds/storm.js';
import { progress } from './support/progress.js';

const STREAM = 'storm';
const PLAYING_WITHIN_MS = 1_000;

const FULL = {
  viewers: 200,
  overMs: 5_000,
  storms: 3,
  alone: 20,
  /** The times at which a browser opens the page during the storm. */
  pagesAtMs: [1_000, 2_500, 4_000],
};
const QUICK: typeof FULL = { viewers: 20, overMs: 1_000, storms: 1, alone: 3, pagesAtMs: [500] };

/**
 * Measures the time to the first frame when 200 viewers join a stream within 5 s, against a viewer that joins alone. A
 * real browser sends the stream. Each viewer makes the director's call, opens a websocket, negotiates, and receives
 * media. These viewers do not decode: their first frame is a complete keyframe. A few browsers join too, and their first
 * frame is one that is shown. Viewers that are refused, or receive no picture in time, are counted.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  const { viewers, overMs, storms, alone: aloneRounds, pagesAtMs } = quick ? QUICK : FULL;
  await build({ ifNeeded: true });
  const server = await startServer();
  const storm = await BenchProcess.start<Storm>('crowds/storm.ts');
  const browser = await openBrowser();
  try {
    const { secret } = await server.cli('secret', 'create');
    const token = await new RestTokens(server.origin, String(secret)).publish(STREAM);
    await goLive(browser, server.origin, STREAM, token);
    const misses = new Misses();
    const pageMisses = new Misses();
    const join = async (count: number, during: number): Promise<number[]> => {
      const joined = await storm.call('join', {
        origin: server.origin,
        streamName: STREAM,
        viewers: count,
        overMs: during,
      });
      return misses.countMisses(joined.map(attemptOf));
    };
    const openPage = async (): Promise<number[]> => {
      const url = `${server.origin}/viewer?streamId=main/${STREAM}`;
      const frame = await attempt(traceFirstFrame(browser, url, 'stream-viewer'));
      return pageMisses.countMisses([frame]).map(({ ms }) => ms);
    };

    // The first round warms the server and the browser.
    const alone: number[] = [];
    const pageAlone: number[] = [];
    progress(`${aloneRounds} viewers, one after the other`);
    for (let turn = -1; turn < aloneRounds; turn++) {
      const took = await join(1, 0);
      await storm.call('leave', null);
      if (turn >= 0) alone.push(...took);
    }
    for (let turn = -1; turn < pagesAtMs.length; turn++) {
      const took = await openPage();
      if (turn >= 0) pageAlone.push(...took);
    }

    const inStorm: number[] = [];
    const pagesInStorm: number[] = [];
    const playing: number[] = [];
    for (let turn = 0; turn < storms; turn++) {
      progress(`storm ${turn + 1} of ${storms}`);
      const [frames, ...pages] = await Promise.all([
        join(viewers, overMs),
        ...pagesAtMs.map((ms) => sleep(ms).then(openPage)),
      ]);
      inStorm.push(...frames);
      pagesInStorm.push(...pages.flat());
      playing.push(await storm.call('playing', PLAYING_WITHIN_MS));
      await storm.call('leave', null);
    }
    return {
      name: 'join-storm',
      ratio: percentile(inStorm, 95) / percentile(alone, 95),
      against: 'the time to the first frame of a viewer alone, 95th percentile of both',
      also: [
        {
          ratio: median(pagesInStorm) / median(pageAlone),
          against: 'the time to the first frame of a browser alone, medians',
        },
      ],
      figures: {
        viewers,
        ...misses.figures,
        pagesRefused: pageMisses.refused,
        pagesWithoutPicture: pageMisses.withoutPicture,
        fewestPlaying: Math.min(...playing),
        medianMs: median(inStorm),
        p95Ms: percentile(inStorm, 95),
        slowestMs: percentile(inStorm, 100),
        aloneMedianMs: median(alone),
        aloneP95Ms: percentile(alone, 95),
        browserMedianMs: median(pagesInStorm),
        browserAloneMedianMs: median(pageAlone),
      },
    };
  } finally {
    await browser.close();
    await storm.stop();
    await server.stop();
  }
}

function attemptOf(joined: Joined): Attempt<number> {
  if ('ms' in joined) return joined.ms;
  return 'refused' in joined ? new RefusedError(joined.refused) : new NoPictureError(joined.missed);
}

import type { Page } from '@playwright/test';
import type * as Streamgate from '../../src/cdn.ts';
import type { PathConditions } from '../support/media/simulated-path.ts';
import { useBadNetwork } from './support/bad-network.ts';
import { mediaFlows } from './support/pages.ts';
import { expect, test } from './support/test.ts';

/** In bit/s: less than the picture of the middle size takes, and enough for the smallest. */
const NARROW = 200_000;
const WIDE = 10_000_000;
/** Heights of the picture. */
const SMALLEST = 180;
const BEST = 720;

/** Goes live in three sizes, from a page without a tag. */
async function broadcast(page: Page, origin: string, streamName: string, token: string): Promise<void> {
  await page.goto(`${origin}/broadcaster`);
  await page.evaluate(
    async (ask) => {
      const file = '/streamgate.js';
      const { Broadcaster, openCapture } = (await import(file)) as typeof Streamgate;
      const media = await openCapture();
      new Broadcaster().start({ endpoint: location.origin, media, simulcast: true, ...ask });
    },
    { streamName, token },
  );
  await mediaFlows(origin, streamName);
}

/** Watches in a page without a tag. */
async function watch(page: Page, origin: string, streamName: string): Promise<void> {
  await page.goto(`${origin}/viewer`);
  await page.evaluate(async (name) => {
    const file = '/streamgate.js';
    const { Viewer } = (await import(file)) as typeof Streamgate;
    const video = Object.assign(document.createElement('video'), { muted: true, autoplay: true });
    const viewer = new Viewer();
    viewer.addEventListener('phasechange', () => {
      if (viewer.phase.name === 'live' && video.srcObject !== viewer.phase.media) video.srcObject = viewer.phase.media;
    });
    viewer.start({ endpoint: location.origin, accountId: 'main', streamName: name });
    document.body.append(video);
  }, streamName);
}

const height = (page: Page) => page.evaluate(() => document.querySelector('video')?.videoHeight);

test.describe('a viewer whose network narrows', () => {
  test.setTimeout(300_000);

  test('sees a smaller picture, and the best again when it is wide; another sees the best throughout', async ({
    server,
    tokens,
    streamName,
    context,
  }) => {
    const { origin } = server;
    await broadcast(await context.newPage(), origin, streamName, await tokens.publish(streamName));
    const other = await context.newPage();
    await watch(other, origin, streamName);
    const viewer = await context.newPage();
    const network = await useBadNetwork(viewer, { down: { capacity: WIDE, delay: 20 } });
    await watch(viewer, origin, streamName);
    for (const page of [other, viewer]) await expect.poll(() => height(page), { timeout: 60_000 }).toBe(BEST);

    const seconds = async (what: Partial<PathConditions>, shown: number): Promise<number> => {
      const began = performance.now();
      network.changeDown(what);
      await expect.poll(() => height(viewer), { message: `${shown} lines`, timeout: 90_000 }).toBe(shown);
      return (performance.now() - began) / 1_000;
    };
    const down = await seconds({ capacity: NARROW }, SMALLEST);
    await expect.poll(() => height(other), { message: 'the other’s' }).toBe(BEST);
    const up = await seconds({ capacity: WIDE }, BEST);
    // How soon depends on the machine, too: it is stated.
    test.info().annotations.push({ type: 'seconds', description: JSON.stringify({ down, up }) });
    await expect.poll(() => height(other), { message: 'the other’s' }).toBe(BEST);
    network.close();
  });
});

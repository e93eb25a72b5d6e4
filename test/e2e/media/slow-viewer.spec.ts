import type { Page } from '@playwright/test';
import type { PathConditions } from '../../support/media/simulated-path.ts';
import { useBadNetwork } from '../support/bad-network.ts';
import { mediaFlows } from '../support/pages.ts';
import { broadcastHeadless, watchHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

/** In bit/s: too little for the middle layer, and enough for the smallest. */
const NARROW = 200_000;
const WIDE = 10_000_000;
/** Heights of the picture. */
const SMALLEST = 180;
const BEST = 720;

const height = (page: Page) => page.evaluate(() => window.video.videoHeight);

test.describe('a viewer whose network narrows', () => {
  test.setTimeout(300_000);

  test('gets a smaller picture, and the largest again when the network recovers; another viewer gets the largest throughout', async ({
    server,
    tokens,
    streamName,
    context,
  }) => {
    const { origin } = server;
    const address = { origin, streamName, token: await tokens.publish(streamName) };
    await broadcastHeadless(await context.newPage(), address, { simulcast: true });
    await mediaFlows(origin, streamName);
    const other = await context.newPage();
    await watchHeadless(other, address);
    const viewer = await context.newPage();
    const network = await useBadNetwork(viewer, { down: { capacity: WIDE, delay: 20 } });
    await watchHeadless(viewer, address);
    for (const page of [other, viewer]) await expect.poll(() => height(page), { timeout: 60_000 }).toBe(BEST);

    const seconds = async (what: Partial<PathConditions>, shown: number): Promise<number> => {
      const began = performance.now();
      network.changeDown(what);
      await expect.poll(() => height(viewer), { message: `a height of ${shown}`, timeout: 90_000 }).toBe(shown);
      return (performance.now() - began) / 1_000;
    };
    const down = await seconds({ capacity: NARROW }, SMALLEST);
    await expect.poll(() => height(other), { message: 'height at the other viewer' }).toBe(BEST);
    const up = await seconds({ capacity: WIDE }, BEST);
    // The times also depend on the machine, so they are reported and not tested.
    test.info().annotations.push({ type: 'seconds', description: JSON.stringify({ down, up }) });
    await expect.poll(() => height(other), { message: 'height at the other viewer' }).toBe(BEST);
    network.close();
  });
});

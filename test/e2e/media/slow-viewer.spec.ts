import type { Page } from '@playwright/test';
import { useBadNetwork } from '../support/bad-network.ts';
import { mediaFlows } from '../support/pages.ts';
import { broadcastHeadless, watchHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

/** Three sizes, at few frames. */
const CAPTURE = { height: 540, frameRate: 10 };
const BITRATE = 800_000;
const [BEST, SMALLEST] = [540, 135];
/** In bit/s: too little for the middle size, and enough for the smallest. */
const NARROW = 200_000;
const WIDE = 10_000_000;

const height = (page: Page) => page.evaluate(() => window.video.videoHeight);

test('a viewer gets a smaller picture when the network narrows, and the largest again when it recovers', async ({
  address,
  context,
}) => {
  await broadcastHeadless(await context.newPage(), address, { simulcast: true, maxBitrate: BITRATE }, CAPTURE);
  await mediaFlows(address);
  const viewer = await context.newPage();
  const network = await useBadNetwork(viewer, { down: { capacity: WIDE, delay: 20 } });
  await watchHeadless(viewer, address);
  const shown = (lines: number) =>
    expect.poll(() => height(viewer), { message: `a height of ${lines}`, timeout: 90_000 }).toBe(lines);
  await shown(BEST);
  network.changeDown({ capacity: NARROW });
  await shown(SMALLEST);
  network.changeDown({ capacity: WIDE });
  await shown(BEST);
  network.close();
});

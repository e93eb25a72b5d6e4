import type { Page } from '@playwright/test';
import { useBadNetwork } from '../support/bad-network.ts';
import { mediaFlows } from '../support/pages.ts';
import { broadcastHeadless, watchHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

/** Three sizes, at few frames. */
const CAPTURE = { height: 540, frameRate: 10 };
const BITRATE = 800_000;
const BEST = 540;
/** In bit/s: too little for the largest size. Which of the others fits depends on what the encoder makes of them. */
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
  const shown = (message: string) => expect.poll(() => height(viewer), { message, timeout: 90_000 });
  await shown('the largest picture').toBe(BEST);
  network.changeDown({ capacity: NARROW });
  await shown('a smaller picture').toBeLessThan(BEST);
  network.changeDown({ capacity: WIDE });
  await shown('the largest picture again').toBe(BEST);
  network.close();
});

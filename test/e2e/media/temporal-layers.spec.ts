import type { Page } from '@playwright/test';
import { noteConnections, outboundVideo } from '../support/connections.ts';
import { mediaFlows } from '../support/pages.ts';
import { broadcastHeadless, watchHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

const sentModes = async (page: Page) => (await outboundVideo(page)).map(({ scalabilityMode }) => scalabilityMode);
const shownFrames = (viewer: Page) => viewer.evaluate(() => window.video.getVideoPlaybackQuality().totalVideoFrames);

for (const [codec, simulcast, modes] of [
  [undefined, false, ['L1T3']],
  ['vp9', false, ['L1T3']],
  ['av1', false, ['L1T3']],
  ['vp8', true, ['L1T3', 'L1T3', 'L1T3']],
  ['vp9', true, ['L1T3', 'L1T3', 'L1T3']],
] as const) {
  test(`${codec ?? 'the default codec'} is sent in temporal layers and is shown, ${simulcast ? 'with' : 'without'} simulcast`, async ({
    address,
    context,
  }) => {
    const broadcaster = await context.newPage();
    await noteConnections(broadcaster);
    await broadcastHeadless(broadcaster, address, { ...(codec && { codec }), simulcast });
    await mediaFlows(address);
    await expect.poll(() => sentModes(broadcaster)).toEqual(modes);
    const viewer = await context.newPage();
    await watchHeadless(viewer, address);
    await expect.poll(() => shownFrames(viewer)).toBeGreaterThan(20);
  });
}

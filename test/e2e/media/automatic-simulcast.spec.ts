import type { Page } from '@playwright/test';
import { useBadNetwork } from '../support/bad-network.ts';
import { noteConnections, outboundVideo } from '../support/connections.ts';
import { mediaFlows, type StreamAddress } from '../support/pages.ts';
import { broadcastHeadless, watchHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

const BEST = 540;
/** Of the encodings, the smallest first. */
const RIDS = ['q', 'h', 'f'];
const BITRATE = 800_000;
/** Of the broadcaster's network, in bit/s: less than the largest encoding alone. */
const NARROW = 500_000;
const WIDE = 10_000_000;

/** Few frames, so that a busy machine encodes all of them: else its processor would be the limit. */
const CAPTURE = { height: BEST, frameRate: 10 };

const broadcast = async (page: Page, address: StreamAddress) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 8 }));
  await broadcastHeadless(page, address, { maxBitrate: BITRATE }, CAPTURE);
  await mediaFlows(address);
};

/** The encodings of which the page makes new frames while it makes some of the largest. */
async function sentEncodings(page: Page): Promise<string[]> {
  const framesOf = async () =>
    new Map((await outboundVideo(page)).map(({ rid, framesEncoded }) => [rid, framesEncoded]));
  const before = await framesOf();
  const since = (frames: Awaited<ReturnType<typeof framesOf>>, rid: string | undefined) =>
    (frames.get(rid) ?? 0) - (before.get(rid) ?? 0);
  let after = before;
  await expect
    .poll(async () => since((after = await framesOf()), 'f'), { message: 'frames of the largest' })
    .toBeGreaterThan(10);
  return RIDS.filter((rid) => since(after, rid) > 1);
}

const shownHeight = (page: Page) => page.evaluate(() => window.video.videoHeight);
const shownFrames = (page: Page) => page.evaluate(() => window.video.getVideoPlaybackQuality().totalVideoFrames);

test.describe('a broadcaster who leaves simulcast to the client', () => {
  test('sends one size at first, and all where the network has room, so that a slow viewer gets a small one', async ({
    address,
    context,
  }) => {
    const broadcaster = await context.newPage();
    await noteConnections(broadcaster);
    await broadcast(broadcaster, address);
    const viewer = await context.newPage();
    const network = await useBadNetwork(viewer, { down: { capacity: WIDE, delay: 20 } });
    await watchHeadless(viewer, address);
    await expect.poll(() => shownHeight(viewer)).toBe(BEST);
    await expect.poll(() => sentEncodings(broadcaster), { timeout: 90_000 }).toEqual(RIDS);
    network.changeDown({ capacity: BITRATE / 3 });
    await expect.poll(() => shownHeight(viewer), { timeout: 60_000 }).toBeLessThan(BEST);
    network.close();
  });

  test('sends the largest size alone when its network becomes narrow, and viewers keep a picture that moves', async ({
    address,
    context,
  }) => {
    const broadcaster = await context.newPage();
    const network = await useBadNetwork(broadcaster, { up: { capacity: WIDE, delay: 20 } });
    await broadcast(broadcaster, address);
    const viewer = await context.newPage();
    await watchHeadless(viewer, address);
    await expect.poll(() => sentEncodings(broadcaster), { timeout: 90_000 }).toEqual(RIDS);
    network.changeUp({ capacity: NARROW });
    await expect.poll(() => sentEncodings(broadcaster), { timeout: 90_000 }).toEqual(['f']);
    const frames = await shownFrames(viewer);
    await expect.poll(() => shownFrames(viewer)).toBeGreaterThan(frames + 30);
    network.close();
  });
});

import type { Page } from '@playwright/test';
import { useBadNetwork } from '../support/bad-network.ts';
import { noteConnections, outboundVideo } from '../support/connections.ts';
import { mediaFlows, type StreamAddress } from '../support/pages.ts';
import { broadcastHeadless, watchHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

const BEST = 540;
const HEIGHTS = [BEST / 4, BEST / 2, BEST];
const BITRATE = 800_000;
/** Of the broadcaster's network, in bit/s: less than the largest encoding alone. */
const NARROW = 500_000;
const WIDE = 10_000_000;

/** Few frames, so that a busy machine encodes all of them: else its processor would be the limit. */
const CAPTURE = { height: BEST, frameRate: 10 };

const broadcast = async (page: Page, address: StreamAddress) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 8 }));
  await broadcastHeadless(page, address, { maxBitrate: BITRATE }, CAPTURE);
  await mediaFlows(address.origin, address.streamName);
};

/** The heights of which the page encodes new frames. */
async function sentHeights(page: Page): Promise<number[]> {
  const before = await outboundVideo(page);
  await page.waitForFunction(
    async (frames) => {
      const reports = await Promise.all(window.peers.map((peer) => peer.getStats()));
      const sent = reports.flatMap((report) => Array.from(report.values())).filter(({ rid }) => rid === 'f');
      return sent.some(({ framesEncoded }) => framesEncoded > frames + 10);
    },
    before.at(-1)?.framesEncoded ?? 0,
    // By default, a page polls before each paint: a hidden one never does.
    { polling: 100 },
  );
  const encoded = new Map(before.map(({ frameHeight, framesEncoded }) => [frameHeight, framesEncoded]));
  const after = await outboundVideo(page);
  return after
    .filter(({ frameHeight, framesEncoded }) => framesEncoded > (encoded.get(frameHeight) ?? 0) + 1)
    .map(({ frameHeight }) => frameHeight);
}

const shownHeight = (page: Page) => page.evaluate(() => window.video.videoHeight);
const shownFrames = (page: Page) => page.evaluate(() => window.video.getVideoPlaybackQuality().totalVideoFrames);

test.describe('a broadcaster who leaves simulcast to the client', () => {
  test.setTimeout(180_000);

  test('sends one size at first, and all where the network has room, so that a slow viewer gets a small one', async ({
    server,
    tokens,
    streamName,
    context,
  }) => {
    const { origin } = server;
    const address = { origin, streamName, token: await tokens.publish(streamName) };
    const broadcaster = await context.newPage();
    await noteConnections(broadcaster);
    await broadcast(broadcaster, address);
    const viewer = await context.newPage();
    const network = await useBadNetwork(viewer, { down: { capacity: WIDE, delay: 20 } });
    await watchHeadless(viewer, address);
    await expect.poll(() => shownHeight(viewer)).toBe(BEST);
    await expect.poll(() => sentHeights(broadcaster), { timeout: 90_000 }).toEqual(HEIGHTS);
    network.changeDown({ capacity: BITRATE / 3 });
    await expect.poll(() => shownHeight(viewer), { timeout: 60_000 }).toBeLessThan(BEST);
    network.close();
  });

  test('sends the largest size alone when its network becomes narrow, and viewers keep a picture that moves', async ({
    server,
    tokens,
    streamName,
    context,
  }) => {
    const { origin } = server;
    const address = { origin, streamName, token: await tokens.publish(streamName) };
    const broadcaster = await context.newPage();
    const network = await useBadNetwork(broadcaster, { up: { capacity: WIDE, delay: 20 } });
    await broadcast(broadcaster, address);
    const viewer = await context.newPage();
    await watchHeadless(viewer, address);
    await expect.poll(() => sentHeights(broadcaster), { timeout: 90_000 }).toEqual(HEIGHTS);
    network.changeUp({ capacity: NARROW });
    await expect.poll(async () => (await sentHeights(broadcaster)).length, { timeout: 90_000 }).toBe(1);
    const frames = await shownFrames(viewer);
    await expect.poll(() => shownFrames(viewer), { timeout: 30_000 }).toBeGreaterThan(frames + 30);
    network.close();
  });
});

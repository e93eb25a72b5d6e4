import type { Page } from '@playwright/test';
import { RECORDINGS, type RecordingName } from '../../support/media/recorded-encoder.ts';
import { broadcastRecording } from '../support/recorded-broadcaster.ts';
import { watchHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

/** Layers of one SSRC, which browsers show in ways of their own. */
const NAMES: readonly RecordingName[] = ['chromium-vp9-L3T3_KEY', 'chromium-av1-L3T3_KEY'];

const shownHeight = (viewer: Page) => viewer.evaluate(() => window.video.videoHeight);
const shownFrames = (viewer: Page) => viewer.evaluate(() => window.video.getVideoPlaybackQuality().totalVideoFrames);
const heights = (viewer: Page) => viewer.evaluate(() => window.viewer.layers.map(({ height }) => height));

test('viewers see each size that they select of what real encoders send', async ({
  server: { origin },
  tokens,
  streamName,
  context,
}) => {
  const streams = [{ streamName: `${streamName}.*`, isRegex: true }];
  const { Token: token } = await tokens.create('publish_token', { streams });
  await Promise.all(
    NAMES.map(async (name, index) => {
      const address = { origin, token, streamName: `${streamName}-${index}` };
      const peer = await broadcastRecording(name, address);
      const page = await context.newPage();
      await watchHeadless(page, address);
      const sizes = RECORDINGS[name].heights;
      await expect.poll(async () => new Set(await heights(page)).size).toBe(sizes.length);
      for (const height of [sizes[0]!, sizes[2]!, sizes[1]!]) {
        await page.evaluate(async (wanted) => {
          await window.viewer.select(window.viewer.layers.find((layer) => layer.height === wanted)!);
        }, height);
        // Layers of VP9 have even sizes, whatever their descriptor says.
        await expect.poll(async () => Math.abs((await shownHeight(page)) - height), { message: name }).toBeLessThan(2);
        const before = await shownFrames(page);
        await expect.poll(() => shownFrames(page), { message: name }).toBeGreaterThan(before + 3);
      }
      peer.close();
    }),
  );
});

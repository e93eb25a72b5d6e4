import type { Page } from '@playwright/test';
import { mediaFlows } from '../support/pages.ts';
import { broadcastHeadless, watchHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

const heights = (page: Page) => page.evaluate(() => window.viewer.layers.map(({ height }) => height));
const shownHeight = (page: Page) => page.evaluate(() => window.video.videoHeight);

test.describe('the headless client', () => {
  test('sends three sizes, and shows the size that is selected', async ({ address, context }) => {
    await broadcastHeadless(await context.newPage(), address, { simulcast: true });
    await mediaFlows(address);
    const viewer = await context.newPage();
    await watchHeadless(viewer, address);

    await expect.poll(() => heights(viewer)).toEqual([720, 360, 180]);
    for (const height of [180, 720, 360]) {
      await viewer.evaluate(async (wanted) => {
        const { layers } = window.viewer;
        await window.viewer.select(layers.find((layer) => layer.height === wanted)!);
      }, height);
      await expect.poll(() => shownHeight(viewer)).toBe(height);
    }
  });

  test('shows the source that is selected', async ({ address, context }) => {
    await broadcastHeadless(await context.newPage(), address);
    await mediaFlows(address);
    const viewer = await context.newPage();
    await watchHeadless(viewer, address);
    await expect.poll(() => shownHeight(viewer)).toBeGreaterThan(0);

    await broadcastHeadless(await context.newPage(), address, { sourceId: 'stage' });
    const sources = () => viewer.evaluate(() => window.viewer.sources.map(({ sourceId }) => sourceId));
    await expect.poll(sources).toEqual([null, 'stage']);
    const played = () => viewer.evaluate(() => window.video.currentTime);
    for (const sourceId of ['stage', null]) {
      await viewer.evaluate((id) => window.viewer.project(id), sourceId);
      const before = await played();
      await expect.poll(played).toBeGreaterThan(before + 1);
    }
    const refused = viewer.evaluate(() =>
      window.viewer.project('unknown').catch((error: { reason?: string }) => error.reason),
    );
    expect(await refused).toBe('unknown_source');
  });
});

import { mediaFlows } from '../support/pages.ts';
import { broadcastHeadless, watchHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

test('the headless client sends three sizes, and shows the size and the source that are selected', async ({
  address,
  context,
}) => {
  await broadcastHeadless(await context.newPage(), address, { simulcast: true });
  await mediaFlows(address);
  const viewer = await context.newPage();
  await watchHeadless(viewer, address);
  const heights = () => viewer.evaluate(() => window.viewer.layers.map(({ height }) => height));
  const shownHeight = () => viewer.evaluate(() => window.video.videoHeight);
  await expect.poll(heights).toEqual([720, 360, 180]);
  for (const height of [180, 720, 360]) {
    await viewer.evaluate(async (wanted) => {
      const { layers } = window.viewer;
      await window.viewer.select(layers.find((layer) => layer.height === wanted)!);
    }, height);
    await expect.poll(shownHeight).toBe(height);
  }

  await broadcastHeadless(await context.newPage(), address, { sourceId: 'stage' }, { height: 240 });
  const sources = () => viewer.evaluate(() => window.viewer.sources.map(({ sourceId }) => sourceId));
  await expect.poll(sources).toEqual([null, 'stage']);
  await viewer.evaluate(() => window.viewer.select('auto'));
  for (const [sourceId, height] of [
    ['stage', 240],
    [null, 720],
  ] as const) {
    await viewer.evaluate((id) => window.viewer.project(id), sourceId);
    await expect.poll(shownHeight).toBe(height);
  }
});

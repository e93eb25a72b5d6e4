import type { Page } from '@playwright/test';
import { noteConnections, outboundVideo } from '../support/connections.ts';
import { mediaFlows } from '../support/pages.ts';
import { broadcastHeadless, watchHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

const HEIGHTS = [180, 360, 720];
/** Between the two smaller encodings. */
const SWITCHES = 4;

/** The keyframes that the encoder made of each encoding, by its height. */
const encodedKeyframes = async (page: Page): Promise<Record<number, number>> =>
  Object.fromEntries(
    (await outboundVideo(page)).map(({ frameHeight, keyFramesEncoded }) => [frameHeight, keyFramesEncoded]),
  );

const shownHeight = (page: Page) => page.evaluate(() => window.video.videoHeight);

async function select(viewer: Page, height: number): Promise<void> {
  await viewer.evaluate(async (wanted) => {
    const { layers } = window.viewer;
    await window.viewer.select(layers.find((layer) => layer.height === wanted)!);
  }, height);
  await expect.poll(() => shownHeight(viewer)).toBe(height);
}

test('a viewer who changes the layer has a keyframe made of that layer, and of no other', async ({
  address,
  context,
}) => {
  const broadcaster = await context.newPage();
  await noteConnections(broadcaster);
  await broadcastHeadless(broadcaster, address, { simulcast: true });
  await mediaFlows(address);
  await expect.poll(async () => Object.keys(await encodedKeyframes(broadcaster))).toEqual(HEIGHTS.map(String));
  const viewer = await context.newPage();
  await watchHeadless(viewer, address);
  await expect
    .poll(() => viewer.evaluate(() => window.viewer.layers.map(({ height }) => height)))
    .toEqual(HEIGHTS.toReversed());

  await select(viewer, HEIGHTS[0]!);
  const before = await encodedKeyframes(broadcaster);
  for (let index = 0; index < SWITCHES; index++) await select(viewer, HEIGHTS[(index + 1) % 2]!);
  const after = await encodedKeyframes(broadcaster);
  const made = HEIGHTS.map((height) => after[height]! - before[height]!);
  expect(made[0]! + made[1]!).toBeGreaterThanOrEqual(SWITCHES);
  // The encoder may make some by itself when the machine is busy. For each switch it would be as many.
  expect(made[2]!).toBeLessThan(SWITCHES / 2);
});

import type { Page } from '@playwright/test';
import { mediaFlows } from '../support/pages.ts';
import { broadcastHeadless, watchHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

/** Has the page's encoder make these layers (WebRTC SVC). */
async function encodeLayers(page: Page, scalabilityMode: string): Promise<void> {
  await page.addInitScript((mode) => {
    const prototype = RTCPeerConnection.prototype;
    const addTransceiver = prototype.addTransceiver;
    prototype.addTransceiver = function (track, init) {
      const isVideo = typeof track !== 'string' && track.kind === 'video';
      const sendEncodings = [{ scalabilityMode: mode } as RTCRtpEncodingParameters];
      return addTransceiver.call(this, track, isVideo ? { ...init, sendEncodings } : init);
    };
    // The client sets temporal layers when the codec is known.
    const { setParameters } = RTCRtpSender.prototype;
    RTCRtpSender.prototype.setParameters = function (parameters, options) {
      const encodings = parameters.encodings.map((encoding) => ({ ...encoding, scalabilityMode: mode }));
      return setParameters.call(this, { ...parameters, encodings }, options);
    };
  }, scalabilityMode);
}

const heights = (viewer: Page) => viewer.evaluate(() => window.viewer.layers.map(({ height }) => height));
const shownHeight = (viewer: Page) => viewer.evaluate(() => window.video.videoHeight);
const shownFrames = (viewer: Page) => viewer.evaluate(() => window.video.getVideoPlaybackQuality().totalVideoFrames);

async function expectMoving(viewer: Page): Promise<void> {
  const before = await shownFrames(viewer);
  await expect.poll(() => shownFrames(viewer)).toBeGreaterThan(before + 20);
}

for (const [mode, sizes] of [
  ['L2T1', 2],
  ['L3T3', 3],
  ['L3T3_KEY', 3],
] as const) {
  test(`AV1 in the layers of ${mode} is shown, in the size that the viewer chooses`, async ({ address, context }) => {
    const broadcaster = await context.newPage();
    await encodeLayers(broadcaster, mode);
    await broadcastHeadless(broadcaster, address, { codec: 'av1' });
    await mediaFlows(address);
    const viewer = await context.newPage();
    await watchHeadless(viewer, address);
    await expect.poll(async () => new Set(await heights(viewer)).size).toBe(sizes);
    await expectMoving(viewer);
    const [smallest, largest] = [Math.min(...(await heights(viewer))), Math.max(...(await heights(viewer)))];
    for (const height of [largest, smallest, largest]) {
      await viewer.evaluate(async (wanted) => {
        await window.viewer.select(window.viewer.layers.find((layer) => layer.height === wanted)!);
      }, height);
      await expect.poll(() => shownHeight(viewer)).toBe(height);
      await expectMoving(viewer);
    }
  });
}

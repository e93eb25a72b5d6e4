import type { Page } from '@playwright/test';
import type { PathConditions } from '../../support/media/simulated-path.ts';
import { useBadNetwork } from '../support/bad-network.ts';
import { mediaFlows } from '../support/pages.ts';
import { broadcastHeadless, watchHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

/** In bit/s: too little for the middle layer, and enough for the smallest. */
const NARROW = 200_000;
/** Too little for the smallest layer, and enough for the sound. */
const TOO_NARROW = 70_000;
const WIDE = 10_000_000;
/** The bitrate of a video in one size. Its lowest temporal layer needs two fifths of it, the lowest two three fifths. */
const ONE_SIZE = 600_000;
/** Frames per second: the fake camera gives 20, and the lowest two temporal layers have 10 of them. */
const NEARLY_ALL = 17;
const FEWER = 15;
/** Heights of the picture. */
const SMALLEST = 180;
const BEST = 720;

const height = (page: Page) => page.evaluate(() => window.video.videoHeight);

/** Packets of sound and frames of video since the viewer connected. */
const received = (page: Page) =>
  page.evaluate(async () => {
    const reports = [...(await window.viewer.getStats())!.values()];
    const of = (kind: string) => reports.find((report) => report.type === 'inbound-rtp' && report.kind === kind);
    return { audio: Number(of('audio')?.packetsReceived ?? 0), frames: Number(of('video')?.framesDecoded ?? 0) };
  });

/** As the browser counted it in the last second. */
const framesPerSecond = (page: Page) =>
  page.evaluate(async () => {
    const reports = [...((await window.viewer.getStats())?.values() ?? [])];
    return Number(reports.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'video')?.framesPerSecond ?? 0);
  });

test.describe('a viewer whose network narrows', () => {
  test.setTimeout(300_000);

  test('gets a smaller picture, and the largest again when the network recovers; another viewer gets the largest throughout', async ({
    address,
    context,
  }) => {
    await broadcastHeadless(await context.newPage(), address, { simulcast: true });
    await mediaFlows(address);
    const other = await context.newPage();
    await watchHeadless(other, address);
    const viewer = await context.newPage();
    const network = await useBadNetwork(viewer, { down: { capacity: WIDE, delay: 20 } });
    await watchHeadless(viewer, address);
    for (const page of [other, viewer]) await expect.poll(() => height(page), { timeout: 60_000 }).toBe(BEST);

    const seconds = async (what: Partial<PathConditions>, shown: number): Promise<number> => {
      const began = performance.now();
      network.changeDown(what);
      await expect.poll(() => height(viewer), { message: `a height of ${shown}`, timeout: 90_000 }).toBe(shown);
      return (performance.now() - began) / 1_000;
    };
    const down = await seconds({ capacity: NARROW }, SMALLEST);
    await expect.poll(() => height(other), { message: 'height at the other viewer' }).toBe(BEST);
    const up = await seconds({ capacity: WIDE }, BEST);
    // The times also depend on the machine, so they are reported and not tested.
    test.info().annotations.push({ type: 'seconds', description: JSON.stringify({ down, up }) });
    await expect.poll(() => height(other), { message: 'height at the other viewer' }).toBe(BEST);
    network.close();
  });

  test('gets fewer frames of a video in one size, and all again when the network recovers', async ({
    address,
    context,
  }) => {
    await broadcastHeadless(await context.newPage(), address, { simulcast: false, maxBitrate: ONE_SIZE });
    await mediaFlows(address);
    const viewer = await context.newPage();
    const network = await useBadNetwork(viewer, { down: { capacity: WIDE, delay: 20 } });
    await watchHeadless(viewer, address);
    const rate = (message: string) => expect.poll(() => framesPerSecond(viewer), { message, timeout: 90_000 });
    await rate('all frames').toBeGreaterThan(NEARLY_ALL);

    network.changeDown({ capacity: ONE_SIZE * 0.7 });
    await rate('fewer frames').toBeLessThan(FEWER);
    const { frames } = await received(viewer);
    await expect
      .poll(async () => (await received(viewer)).frames, { message: 'frames on the narrow network', timeout: 60_000 })
      .toBeGreaterThan(frames + 50);
    expect(await framesPerSecond(viewer)).toBeLessThan(FEWER);
    expect(await viewer.evaluate(() => 'videoPaused' in window.viewer.phase)).toBe(false);

    network.changeDown({ capacity: WIDE });
    await rate('all frames again').toBeGreaterThan(NEARLY_ALL);
    network.close();
  });

  test('keeps the sound without a picture while not even the smallest fits, and gets the picture again', async ({
    address,
    context,
  }) => {
    await broadcastHeadless(await context.newPage(), address, { simulcast: true });
    await mediaFlows(address);
    const viewer = await context.newPage();
    const network = await useBadNetwork(viewer, { down: { capacity: WIDE, delay: 20 } });
    await watchHeadless(viewer, address);
    await expect.poll(() => height(viewer), { timeout: 60_000 }).toBe(BEST);

    network.changeDown({ capacity: TOO_NARROW });
    const isPaused = () => viewer.evaluate(() => 'videoPaused' in window.viewer.phase);
    await expect.poll(isPaused, { message: 'paused', timeout: 90_000 }).toBe(true);
    const before = await received(viewer);
    await expect
      .poll(async () => (await received(viewer)).audio - before.audio, { message: 'packets of sound', timeout: 60_000 })
      .toBeGreaterThan(100);
    network.changeDown({ capacity: WIDE });
    await expect.poll(isPaused, { message: 'not paused', timeout: 90_000 }).toBe(false);
    await expect
      .poll(async () => (await received(viewer)).frames - before.frames, { message: 'frames', timeout: 60_000 })
      .toBeGreaterThan(30);
    await expect.poll(() => height(viewer), { message: 'the best height', timeout: 90_000 }).toBe(BEST);
    network.close();
  });
});

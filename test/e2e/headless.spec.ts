import type { Page } from '@playwright/test';
import type * as Streamgate from '../../src/cdn.ts';
import { mediaFlows } from './support/pages.ts';
import { expect, test } from './support/test.ts';

declare global {
  interface Window {
    viewer: Streamgate.Viewer;
    video: HTMLVideoElement;
  }
}

interface Broadcast {
  streamName: string;
  token: string;
  options?: object;
}

/** Goes live from a page of its own, without a tag. */
async function broadcast(page: Page, origin: string, ask: Broadcast): Promise<void> {
  await page.goto(`${origin}/broadcaster`);
  await page.evaluate(async ({ streamName, token, options }) => {
    const file = '/streamgate.js';
    const { Broadcaster, openCapture } = (await import(file)) as typeof Streamgate;
    const media = await openCapture();
    const broadcaster = new Broadcaster();
    broadcaster.start({ endpoint: location.origin, streamName, token, media, ...options });
  }, ask);
}

/** Watches in a page of its own, without a tag. */
async function watch(page: Page, origin: string, streamName: string): Promise<void> {
  await page.goto(`${origin}/viewer`);
  await page.evaluate(async (name) => {
    const file = '/streamgate.js';
    const { Viewer } = (await import(file)) as typeof Streamgate;
    const video = Object.assign(document.createElement('video'), { muted: true, autoplay: true });
    const viewer = new Viewer();
    viewer.addEventListener('phasechange', () => {
      if (viewer.phase.name === 'live' && video.srcObject !== viewer.phase.media) video.srcObject = viewer.phase.media;
    });
    viewer.start({ endpoint: location.origin, accountId: 'main', streamName: name });
    document.body.append(video);
    Object.assign(window, { viewer, video });
  }, streamName);
}

const heights = (page: Page) => page.evaluate(() => window.viewer.layers.map(({ height }) => height));
const shownHeight = (page: Page) => page.evaluate(() => window.video.videoHeight);

test.describe('the headless client', () => {
  test('sends three sizes, and shows the one that is chosen', async ({ server, tokens, streamName, context }) => {
    const { origin } = server;
    const sender = await context.newPage();
    const token = await tokens.publish(streamName);
    await broadcast(sender, origin, { streamName, token, options: { simulcast: true } });
    await mediaFlows(origin, streamName);
    const viewer = await context.newPage();
    await watch(viewer, origin, streamName);

    await expect.poll(() => heights(viewer)).toEqual([720, 360, 180]);
    for (const height of [180, 720, 360]) {
      await viewer.evaluate(async (wanted) => {
        const { layers } = window.viewer;
        await window.viewer.select(layers.find((layer) => layer.height === wanted)!);
      }, height);
      await expect.poll(() => shownHeight(viewer)).toBe(height);
    }
  });

  test('shows the source that is chosen', async ({ server, tokens, streamName, context }) => {
    const { origin } = server;
    const token = await tokens.publish(streamName);
    await broadcast(await context.newPage(), origin, { streamName, token });
    await mediaFlows(origin, streamName);
    const viewer = await context.newPage();
    await watch(viewer, origin, streamName);
    await expect.poll(() => shownHeight(viewer)).toBeGreaterThan(0);

    await broadcast(await context.newPage(), origin, { streamName, token, options: { sourceId: 'stage' } });
    const sources = () => viewer.evaluate(() => window.viewer.sources.map(({ sourceId }) => sourceId));
    await expect.poll(sources).toEqual([null, 'stage']);
    const played = () => viewer.evaluate(() => window.video.currentTime);
    for (const sourceId of ['stage', null]) {
      await viewer.evaluate((id) => window.viewer.project(id), sourceId);
      const before = await played();
      await expect.poll(played).toBeGreaterThan(before + 1);
    }
    const refused = viewer.evaluate(() =>
      window.viewer.project('nobody').catch((error: { reason?: string }) => error.reason),
    );
    expect(await refused).toBe('unknown_source');
  });
});

import type { Page } from '@playwright/test';
import type * as Streamgate from '../../../src/cdn.ts';
import { openBarePage, type StreamAddress } from './pages.ts';

declare global {
  interface Window {
    viewer: Streamgate.Viewer;
    video: HTMLVideoElement;
  }
}

/**
 * Goes live with the page's camera by the headless client.
 * @param options of the broadcaster
 * @param capture the capture constraints
 */
export async function broadcastHeadless(
  page: Page,
  { origin, streamName, token = '' }: StreamAddress,
  options: Partial<Streamgate.BroadcasterOptions> = {},
  capture: Streamgate.CaptureOptions = {},
): Promise<void> {
  await openBarePage(page, origin);
  await page.evaluate(
    async ({ broadcast, constraints }) => {
      const file = '/streamgate.js';
      const { Broadcaster, openCapture } = (await import(file)) as typeof Streamgate;
      const media = await openCapture(constraints);
      new Broadcaster().start({ endpoint: location.origin, media, ...broadcast });
    },
    { broadcast: { streamName, token, ...options }, constraints: capture },
  );
}

/** Watches with the headless client, as `window.viewer`, and shows the stream in `window.video`. */
export async function watchHeadless(page: Page, { origin, streamName }: StreamAddress): Promise<void> {
  await openBarePage(page, origin);
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

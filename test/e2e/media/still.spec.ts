import type { Page } from '@playwright/test';
import { ffmpegProgram } from '../../support/run-encoder.ts';
import { mediaFlows, openBarePage } from '../support/pages.ts';
import { broadcastHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

interface ShownPicture {
  readonly width: number;
  readonly height: number;
  /** The mean brightness of its points, 0 to 255, and how much they differ from it. */
  readonly brightness: number;
  readonly contrast: number;
}

/** Shows a file as the dashboard does. */
function showPicture(page: Page, file: { readonly type: string; readonly base64: string }): Promise<ShownPicture> {
  return page.evaluate(async ({ type, base64 }) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    const isImage = type.startsWith('image/');
    const shown = isImage ? new Image() : document.createElement('video');
    const loaded = new Promise<unknown>((resolve, reject) => {
      shown.addEventListener(isImage ? 'load' : 'loadeddata', resolve);
      shown.addEventListener('error', () => reject(new Error(`the browser cannot show this ${type}`)));
    });
    Object.assign(shown, { muted: true, src: url });
    document.body.append(shown);
    await loaded;
    const [width, height] =
      shown instanceof HTMLVideoElement
        ? [shown.videoWidth, shown.videoHeight]
        : [shown.naturalWidth, shown.naturalHeight];
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')!;
    for (;;) {
      context.drawImage(shown, 0, 0);
      const { data } = context.getImageData(0, 0, width, height);
      const points = Array.from({ length: width * height }, (_, index) => data[4 * index + 1]!);
      const brightness = points.reduce((sum, point) => sum + point, 0) / points.length;
      const contrast = points.reduce((sum, point) => sum + Math.abs(point - brightness), 0) / points.length;
      // A video is black until its frame is presented.
      if (contrast > 0) return { width, height, brightness, contrast };
      await new Promise(requestAnimationFrame);
    }
  }, file);
}

test.describe('a picture of a live stream', () => {
  // JPEG is made by ffmpeg.
  test.beforeAll(() => ffmpegProgram());

  for (const codec of ['vp8', 'h264', 'vp9', 'av1'] as const) {
    test(`of ${codec} can be shown by browsers`, async ({ server, tokens, apiSecret, streamName, context }) => {
      const { origin } = server;
      const address = { origin, streamName, token: await tokens.publish(streamName) };
      await broadcastHeadless(await context.newPage(), address, { codec });
      await mediaFlows({ origin, streamName });
      const response = await fetch(`${origin}/api/streams/${streamName}/still`, {
        headers: { authorization: `Bearer ${apiSecret}` },
      });
      expect(response.status).toBe(200);
      const type = response.headers.get('content-type')!;
      expect(type).toBe(codec === 'vp8' ? 'image/webp' : 'video/mp4');
      const base64 = Buffer.from(await response.arrayBuffer()).toString('base64');
      const page = await context.newPage();
      await openBarePage(page, origin);
      const picture = await showPicture(page, { type, base64 });
      expect(picture.width / picture.height).toBeCloseTo(16 / 9, 1);
      // The fake camera shows a shape on a bright ground.
      expect(picture.brightness).toBeGreaterThan(60);
      expect(picture.contrast).toBeGreaterThan(2);

      const jpeg = await fetch(`${origin}/api/streams/${streamName}/still?format=jpeg`, {
        headers: { authorization: `Bearer ${apiSecret}` },
      });
      expect(jpeg.headers.get('content-type')).toBe('image/jpeg');
      const bytes = Buffer.from(await jpeg.arrayBuffer());
      const shown = await showPicture(page, { type: 'image/jpeg', base64: bytes.toString('base64') });
      expect([shown.width, shown.height]).toEqual([picture.width, picture.height]);
      expect(Math.abs(shown.brightness - picture.brightness)).toBeLessThan(15);
    });
  }

  test('is the poster of a player on another site that has not started', async ({
    server: { origin },
    streamName,
    otherSite,
    broadcast,
    page,
  }) => {
    await broadcast();
    const poster = `${origin}/api/still/main/${streamName}?format=jpeg`;
    const player = `<stream-viewer controls endpoint="${origin}" account-id="main" stream-name="${streamName}" poster="${poster}"></stream-viewer>`;
    await page.goto(
      otherSite.put('/', `<script src="${origin}/streamgate.js" type="module"></script>${player}<img src="${poster}">`),
    );
    const size = () =>
      page.locator('img').evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
    await expect.poll(async () => (await size())[0]).toBeGreaterThan(100);
    const shown = () =>
      page.locator('stream-viewer').evaluate((viewer) => viewer.shadowRoot!.querySelector('video')!.poster);
    await expect.poll(shown).toBe(poster);
  });
});

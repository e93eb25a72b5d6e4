import type { Page } from '@playwright/test';
import { WhipPublisher } from '../../support/media/whip-publisher.ts';
import { ffmpegProgram } from '../../support/run-encoder.ts';
import { mediaFlows, openBarePage } from '../support/pages.ts';
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

test('a picture of a live stream can be shown by browsers in each codec, and is the poster of a player on another site', async ({
  server: { origin },
  tokens,
  apiSecret,
  streamName,
  otherSite,
  page,
}) => {
  // JPEG is made by ffmpeg.
  await ffmpegProgram();
  const authorization = `Bearer ${apiSecret}`;
  await openBarePage(page, origin);
  for (const codec of ['vp8', 'h264', 'vp9', 'av1'] as const) {
    const name = `${streamName}-${codec}`;
    const address = { origin, streamName: name, token: await tokens.publish(name) };
    const publisher = await WhipPublisher.open(address, `chromium-${codec}`);
    await mediaFlows(address);
    const still = async (query = '') => {
      const response = await fetch(`${origin}/api/streams/${name}/still${query}`, { headers: { authorization } });
      expect(response.status).toBe(200);
      const base64 = Buffer.from(await response.arrayBuffer()).toString('base64');
      return { type: response.headers.get('content-type')!, base64 };
    };
    const original = await still();
    expect(original.type).toBe(codec === 'vp8' ? 'image/webp' : 'video/mp4');
    const { brightness, ...picture } = await showPicture(page, original);
    expect([picture.width, picture.height], codec).toEqual([320, 180]);
    // The test picture is bright, and has many colours.
    expect(Math.min(brightness - 60, picture.contrast - 2), codec).toBeGreaterThan(0);

    const jpeg = await still('?format=jpeg');
    expect(jpeg.type).toBe('image/jpeg');
    const shown = await showPicture(page, jpeg);
    expect([shown.width, shown.height]).toEqual([320, 180]);
    expect(Math.abs(shown.brightness - brightness)).toBeLessThan(15);

    if (codec === 'av1') {
      const poster = `${origin}/api/still/main/${name}?format=jpeg`;
      const player = `<stream-viewer controls endpoint="${origin}" account-id="main" stream-name="${name}" poster="${poster}"></stream-viewer>`;
      await page.goto(
        otherSite.put(
          '/',
          `<script src="${origin}/streamgate.js" type="module"></script>${player}<img src="${poster}">`,
        ),
      );
      const width = () => page.locator('img').evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth);
      await expect.poll(width).toBe(320);
      const ofPlayer = () =>
        page.locator('stream-viewer').evaluate((viewer) => viewer.shadowRoot!.querySelector('video')!.poster);
      await expect.poll(ofPlayer).toBe(poster);
    }
    publisher.close();
  }
});

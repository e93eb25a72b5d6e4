// `npm run picture` makes docs/images/live.png, the picture of the README: the hosted broadcaster and viewer, live, with a
// server of their own. The camera is a film of the painted camera of the playground.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { RestTokens } from '../test/support/rest-tokens.ts';
import { startServer } from '../test/support/server-process.ts';
import { build } from './build.ts';
import { browserArguments } from './find-browser.ts';
import { toolPath } from './tools.ts';
import { openPlayground } from './playground-server.ts';
import { root } from './run-command.ts';

const FRAMES = 60;
const FRAME_MS = 70;
const SHARP_WITHIN_MS = 60_000;

await build({ ifNeeded: true });
const executablePath = await toolPath('chromium');
const launch = (...args: string[]): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...browserArguments, ...args] });

/** Chromium reads a fake camera from a file of JPEG images, one after the other. */
async function film(): Promise<Buffer> {
  const playground = await openPlayground();
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`${playground.origin}/state.html#stream-broadcaster/preview`);
    await page.locator('html[data-shown="stream-broadcaster/preview"]').waitFor({ state: 'attached' });
    const frames = await page.evaluate(
      async ({ count, every }) => {
        const video = document.querySelector('main > *')!.shadowRoot!.querySelector('video')!;
        const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 720 });
        const taken: string[] = [];
        while (taken.length < count) {
          canvas.getContext('2d')!.drawImage(video, 0, 0, 1280, 720);
          taken.push(canvas.toDataURL('image/jpeg', 0.9).split(',')[1]!);
          await new Promise((resolve) => setTimeout(resolve, every));
        }
        return taken;
      },
      { count: FRAMES, every: FRAME_MS },
    );
    return Buffer.concat(frames.map((frame) => Buffer.from(frame, 'base64')));
  } finally {
    await browser.close();
    await playground.close();
  }
}

/** Waits until the picture moves. */
async function untilLive(page: Page, tag: string): Promise<void> {
  await page.waitForFunction((name) => {
    const element = document.querySelector(name);
    const video = element?.shadowRoot?.querySelector('video');
    return element?.matches(':state(live)') && video && video.videoWidth > 0 && video.currentTime > 3;
  }, tag);
}

/** An encoder starts with a small picture, and keeps it on a busy machine. */
async function untilSharp(viewer: Page, broadcaster: Page): Promise<void> {
  const within = { timeout: SHARP_WITHIN_MS };
  const isFullSize = (): boolean =>
    (document.querySelector('stream-viewer')?.shadowRoot?.querySelector('video')?.videoHeight ?? 0) >= 700;
  try {
    await viewer.waitForFunction(isFullSize, undefined, within);
    await broadcaster.locator('stream-broadcaster').getByText('Good', { exact: true }).waitFor(within);
  } catch {
    process.stdout.write('The machine is busy, and the viewer shows a smaller picture than the broadcaster sends.\n');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'streamgate-picture-'));
/** The browser shows the file name as the name of the camera, so that the name has no folder. */
const camera = 'Desk camera.mjpeg';
const server = await startServer();
let browser: Browser | undefined;
try {
  writeFileSync(join(folder, camera), await film());
  const { secret } = await server.cli('secret', 'create');
  const token = await new RestTokens(server.origin, String(secret)).publish('keynote');
  process.chdir(folder);
  browser = await launch(`--use-file-for-fake-video-capture=${camera}`);
  const context = await browser.newContext({ permissions: ['camera', 'microphone'], deviceScaleFactor: 1.5 });
  context.setDefaultTimeout(120_000);

  const broadcaster = await context.newPage();
  await broadcaster.setViewportSize({ width: 880, height: 664 });
  await broadcaster.goto(`${server.origin}/broadcaster?streamName=keynote#token=${token}`);
  await broadcaster.getByRole('button', { name: 'Go live' }).click();
  await untilLive(broadcaster, 'stream-broadcaster');

  const viewer = await context.newPage();
  await viewer.setViewportSize({ width: 640, height: 360 });
  await viewer.goto(`${server.origin}/viewer?streamId=main/keynote`);
  await untilLive(viewer, 'stream-viewer');
  const sound = viewer.getByRole('button', { name: 'Tap for sound' });
  if (await sound.isVisible()) await sound.click();
  await untilSharp(viewer, broadcaster);
  await viewer.mouse.move(300, 200);
  await viewer.mouse.move(310, 210);
  await viewer.waitForFunction(() => {
    const bar = document.querySelector('stream-viewer')!.shadowRoot!.querySelector('[part=controls]');
    return bar && getComputedStyle(bar).opacity === '1';
  });
  const viewerPicture = await viewer.screenshot();
  await broadcaster.bringToFront();
  const broadcasterPicture = await broadcaster.screenshot();

  const frame = await context.newPage();
  await frame.setViewportSize({ width: 1320, height: 600 });
  await frame.setContent(sideBySide(broadcasterPicture, viewerPicture));
  await frame
    .locator('img')
    .last()
    .evaluate((image: HTMLImageElement) => image.decode());
  await frame.screenshot({ path: join(root, 'docs/images/live.png') });
  process.stdout.write('docs/images/live.png\n');
} finally {
  await browser?.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Shows the screenshots of both pages side by side. */
function sideBySide(...pages: readonly Buffer[]): string {
  const images = pages.map((page) => `<img src="data:image/png;base64,${page.toString('base64')}">`);
  return `<style>
    body { display: flex; align-items: center; justify-content: center; gap: 32px; height: 100vh; margin: 0; background: linear-gradient(135deg, #e8ebf7, #f7e9e4); }
    img { width: 620px; border-radius: 14px; box-shadow: 0 12px 40px #2026432e; }
  </style>${images.join('')}`;
}

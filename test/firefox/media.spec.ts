import {
  frameSize,
  goLive,
  openBroadcaster,
  expectMovingPicture,
  expectSound,
  phaseOf,
  type Scripted,
} from '../e2e/support/pages.ts';
import { FirefoxPage } from './firefox-page.ts';
import { expect, test } from './test.ts';

test.describe('Firefox', () => {
  test('plays a stream of Chromium with sound, through its end and new start, and counts viewers', async ({
    tokens,
    streamName,
    broadcast,
    watchInFirefox,
  }) => {
    const viewer = await watchInFirefox(await tokens.subscribe(streamName));
    await expect.poll(() => viewer.phase()).toBe('waiting');

    const broadcaster = await broadcast();
    await viewer.expectMovingPicture();
    await viewer.expectSound();
    await expect(broadcaster.getByText(/1 (watching|viewer)/i)).toBeVisible();
    await expect.poll(() => viewer.viewers()).toBe(1);

    await broadcaster.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => viewer.phase()).toBe('ended');
    await goLive(broadcaster);
    await expect.poll(() => viewer.phase()).toBe('live');
    await viewer.expectMovingPicture();

    await viewer.close();
    await expect(broadcaster.getByText(/0 (watching|viewers)/i)).toBeVisible();
  });

  test('broadcasts to Chromium with sound, and receives the viewer count', async ({
    tokens,
    streamName,
    watching,
    broadcastInFirefox,
  }) => {
    const broadcaster = await broadcastInFirefox();
    const viewer = await watching({ token: await tokens.subscribe(streamName) });
    await expect.poll(() => broadcaster.viewers()).toBe(1);

    await broadcaster.press('Stop');
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('ended');
    await broadcaster.goLive();
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('live');
    await expectMovingPicture(viewer);
    // The browser allows sound after a click.
    await viewer.locator('stream-viewer').click();
    await expectSound(viewer);
  });

  for (const codec of ['vp9', 'av1']) {
    test(`sends and plays ${codec}, with Firefox and with Chromium at the other end`, async ({
      server: { origin },
      tokens,
      streamName,
      context,
      firefox,
      watching,
      broadcastInFirefox,
      watchInFirefox,
    }) => {
      const broadcaster = await broadcastInFirefox({ codec });
      const viewer = await watchInFirefox();
      await watching();
      await viewer.expectMovingPicture();
      await broadcaster.close();
      await viewer.close();

      const other = { origin, streamName: `${streamName}-back` };
      const sender = await context.newPage();
      await openBroadcaster(sender, { ...other, token: await tokens.publish(other.streamName) });
      await sender.evaluate(
        (value) => Object.assign(document.querySelector('stream-broadcaster')!, { codec: value }),
        codec,
      );
      await goLive(sender);
      const receiver = await FirefoxPage.watch(firefox, other);
      await receiver.expectMovingPicture();
      await receiver.close();
    });
  }

  test('sends several sizes, and receives the size that it selects', async ({
    watching,
    broadcastInFirefox,
    watchInFirefox,
  }) => {
    await broadcastInFirefox({ simulcast: true });
    const viewers: readonly Scripted[] = [await watchInFirefox(), await watching()];
    for (const viewer of viewers) {
      await viewer.evaluate(choose, '180');
      await expect.poll(async () => (await frameSize(viewer, 'stream-viewer'))?.height).toBe(180);
      await expectMovingPicture(viewer);
    }
  });

  test('sends its largest size where simulcast is automatic, also with many cores', async ({
    watching,
    broadcastInFirefox,
  }) => {
    const broadcaster = await broadcastInFirefox();
    await broadcaster.press('Stop');
    await broadcaster.evaluate((value) => Object.defineProperty(navigator, 'hardwareConcurrency', { value }).onLine, 8);
    await broadcaster.goLive();
    const viewer = await watching();
    await expect.poll(async () => (await frameSize(viewer, 'stream-viewer'))?.height).toBe(720);
    await expectMovingPicture(viewer);
  });

  test('keeps the picture when the network changes', async ({ broadcast, watchInFirefox }) => {
    await broadcast();
    const viewer = await watchInFirefox();
    await viewer.expectMovingPicture();
    await viewer.evaluate(comeOnline, 'stream-viewer');
    await expect.poll(() => viewer.evaluate(otherMedia, 'stream-viewer'), { message: 'another session' }).toBe(true);
    await viewer.expectMovingPicture();
    expect(await viewer.evaluate(breaks, 'stream-viewer')).toBe(0);
    await expect.poll(() => viewer.viewers()).toBe(1);
  });
});

interface Watched extends Element {
  quality: string;
  srcObject: MediaStream;
  firstMedia: MediaStream;
  breaks: number;
}

/** Runs in the page, as the next three. */
function choose(quality: string): void {
  document.querySelector<Watched>('stream-viewer')!.quality = quality;
}

function comeOnline(tag: string): void {
  const element = document.querySelector<Watched>(tag)!;
  Object.assign(element, { firstMedia: element.srcObject, breaks: 0 });
  element.addEventListener('stream-error', () => element.breaks++);
  window.dispatchEvent(new Event('online'));
}

function otherMedia(tag: string): boolean {
  const { srcObject, firstMedia } = document.querySelector<Watched>(tag)!;
  return srcObject !== firstMedia;
}

function breaks(tag: string): number {
  return document.querySelector<Watched>(tag)!.breaks;
}

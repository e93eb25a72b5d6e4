import {
  expectMovingPicture,
  expectSound,
  frameSize,
  goLive,
  openBroadcaster,
  phaseOf,
  type Scripted,
} from '../e2e/support/pages.ts';
import { expect, test } from './test.ts';

test.describe('Firefox', () => {
  test('plays a stream of Chromium with sound, through its end, its new start and another network, and is counted', async ({
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

    await viewer.evaluate(comeOnline, 'stream-viewer');
    await expect.poll(() => viewer.evaluate(otherMedia, 'stream-viewer'), { message: 'another session' }).toBe(true);
    await viewer.expectMovingPicture();
    expect(await viewer.evaluate(breaks, 'stream-viewer')).toBe(0);
    await expect.poll(() => viewer.viewers()).toBe(1);

    await broadcaster.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => viewer.phase()).toBe('ended');
    await goLive(broadcaster);
    await expect.poll(() => viewer.phase()).toBe('live');
    await viewer.expectMovingPicture();

    await viewer.close();
    await expect(broadcaster.getByText(/0 (watching|viewers)/i)).toBeVisible();
  });

  test('broadcasts with sound and in several sizes, and sends its largest size where simulcast is automatic, also with many cores', async ({
    tokens,
    streamName,
    watching,
    broadcastInFirefox,
    watchInFirefox,
  }) => {
    const broadcaster = await broadcastInFirefox({ simulcast: true });
    const token = await tokens.subscribe(streamName);
    const viewer = await watching({ token });
    await expect.poll(() => broadcaster.viewers()).toBe(1);
    // The browser allows sound after the visitor did something. A click on the picture would pause it.
    await viewer.keyboard.press('Tab');
    await expectSound(viewer);
    const inFirefox = await watchInFirefox(token);
    for (const one of [viewer, inFirefox] as readonly Scripted[]) {
      await one.evaluate(choose, '180');
      await expect.poll(() => heightIn(one)).toBe(180);
      await expectMovingPicture(one);
    }
    await inFirefox.close();
    await viewer.evaluate(choose, 'auto');

    await broadcaster.press('Stop');
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('ended');
    await broadcaster.evaluate((value) => Object.defineProperty(navigator, 'hardwareConcurrency', { value }).onLine, 8);
    await broadcaster.set({ simulcast: 'auto' });
    await broadcaster.goLive();
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('live');
    await expect.poll(() => heightIn(viewer)).toBe(720);
    await expectMovingPicture(viewer);
  });

  test('sends and plays VP9 and AV1, with Firefox and with Chromium at the other end', async ({
    server: { origin },
    tokens,
    streamName,
    context,
    watching,
    broadcastInFirefox,
    watchInFirefox,
  }) => {
    const token = await tokens.subscribe(streamName);
    const inFirefox = await watchInFirefox(token);
    const broadcaster = await broadcastInFirefox({ resolution: 360, codec: 'vp9' });
    const viewer = await watching({ token });
    const expectCodec = async (codec: string, viewers: readonly Scripted[]): Promise<void> => {
      for (const one of viewers) {
        await expect.poll(() => one.evaluate(receivedCodec, undefined)).toBe(`video/${codec}`);
        await expectMovingPicture(one);
      }
    };
    await expectCodec('VP9', [inFirefox, viewer]);
    await broadcaster.press('Stop');
    await expect.poll(() => inFirefox.phase()).toBe('ended');
    await broadcaster.set({ codec: 'av1' });
    await broadcaster.goLive();
    await expectCodec('AV1', [inFirefox, viewer]);
    await broadcaster.press('Stop');
    await expect.poll(() => inFirefox.phase()).toBe('ended');
    await broadcaster.close();
    await viewer.close();

    const sender = await context.newPage();
    await openBroadcaster(sender, { origin, streamName, token: await tokens.publish(streamName) });
    for (const codec of ['vp9', 'av1']) {
      await sender.evaluate(setCodec, codec);
      await goLive(sender);
      await expectCodec(codec.toUpperCase(), [inFirefox]);
      await sender.getByRole('button', { name: 'Stop' }).click();
      await expect.poll(() => inFirefox.phase()).toBe('ended');
    }
  });
});

const heightIn = async (viewer: Scripted) => (await frameSize(viewer, 'stream-viewer'))?.height;

interface Watched extends Element {
  quality: string;
  srcObject: MediaStream;
  firstMedia: MediaStream;
  breaks: number;
  getStats(): Promise<RTCStatsReport | undefined>;
}

/** Runs in the page, as the next five. */
function choose(quality: string): void {
  document.querySelector<Watched>('stream-viewer')!.quality = quality;
}

function setCodec(codec: string): void {
  Object.assign(document.querySelector('stream-broadcaster')!, { codec });
}

async function receivedCodec(): Promise<string | undefined> {
  const stats = await document.querySelector<Watched>('stream-viewer')!.getStats();
  const video = [...(stats?.values() ?? [])].find(({ type, kind }) => type === 'inbound-rtp' && kind === 'video');
  return stats?.get(video?.codecId)?.mimeType;
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

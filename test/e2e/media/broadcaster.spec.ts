import type { Page } from '@playwright/test';
import type { StreamBroadcasterElement } from '../../../src/elements/broadcaster/stream-broadcaster-element.ts';
import { noteEvents } from '../support/event-log.ts';
import { expectMovingPicture, goLive, openBroadcaster, openViewer, phaseOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

/** The nearest of red, green and blue to the colour of the picture. `none` for black and grey. */
function colour(page: Page): Promise<string> {
  return page.evaluate(() => {
    const video = document.querySelector('stream-viewer')!.shadowRoot!.querySelector('video')!;
    const canvas = Object.assign(document.createElement('canvas'), { width: 8, height: 8 });
    const context = canvas.getContext('2d')!;
    context.drawImage(video, 0, 0, 8, 8);
    const [red = 0, green = 0, blue = 0] = context.getImageData(4, 1, 1, 1).data;
    const most = Math.max(red, green, blue);
    if (most < 90 || most - Math.min(red, green, blue) < 60) return 'none';
    return most === red ? 'red' : most === green ? 'green' : 'blue';
  });
}

/** Gives the tag a moving picture of one colour. */
function paint(page: Page, fill: string): Promise<void> {
  return page.evaluate((name) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
    const context = canvas.getContext('2d')!;
    let step = 0;
    setInterval(() => {
      context.fillStyle = name;
      context.fillRect(0, 0, 640, 360);
      context.fillStyle = '#888';
      context.fillRect((step += 8) % 600, 330, 40, 30);
    }, 50);
    document.querySelector<StreamBroadcasterElement>('stream-broadcaster')!.srcObject = canvas.captureStream(20);
  }, fill);
}

test.describe('what a broadcaster does while live', () => {
  test('viewers see the new picture after srcObject changes, without an interruption', async ({
    server,
    tokens,
    streamName,
    context,
  }) => {
    const address = { origin: server.origin, streamName, token: await tokens.publish(streamName) };
    const broadcaster = await context.newPage();
    await openBroadcaster(broadcaster, address);
    await paint(broadcaster, 'red');
    await goLive(broadcaster);
    const viewer = await context.newPage();
    await openViewer(viewer, { ...address, token: undefined });
    await expect.poll(() => colour(viewer)).toBe('red');
    const eventNames = await noteEvents(viewer, 'stream-viewer');

    await paint(broadcaster, 'blue');
    await expect.poll(() => colour(viewer)).toBe('blue');
    expect(await eventNames()).toEqual([]);
  });

  test('a shared screen replaces the camera, and the camera returns afterwards', async ({ broadcast, watching }) => {
    const broadcaster = await broadcast();
    const viewer = await watching();
    const eventNames = await noteEvents(viewer, 'stream-viewer');
    const kind = () =>
      broadcaster.evaluate(() => {
        const video = document.querySelector('stream-broadcaster')!.shadowRoot!.querySelector('video')!;
        const [track] = (video.srcObject as MediaStream).getVideoTracks();
        return track!.getSettings().displaySurface ?? 'camera';
      });

    await broadcaster.getByRole('button', { name: 'Share screen' }).click();
    await expect.poll(kind).not.toBe('camera');
    await broadcaster.getByRole('button', { name: 'Stop sharing' }).click();
    await expect.poll(kind).toBe('camera');
    await expectMovingPicture(viewer);
    expect(await eventNames()).toEqual([]);
    expect(await phaseOf(broadcaster, 'stream-broadcaster')).toBe('live');
  });

  test('viewers stay when goLive() is called again', async ({ broadcast, watching }) => {
    const broadcaster = await broadcast();
    const viewer = await watching();
    const eventNames = await noteEvents(viewer, 'stream-viewer');
    await broadcaster.evaluate(async () => {
      const element = document.querySelector('stream-broadcaster')!;
      element.goLive();
      await element.updateComplete;
      element.goLive();
    });
    await expectMovingPicture(viewer);
    expect(await eventNames()).toEqual([]);
    expect(await phaseOf(broadcaster, 'stream-broadcaster')).toBe('live');
  });

  test('the browser asks before the page is left, only while live', async ({ page: broadcaster, broadcast }) => {
    const dialogs: string[] = [];
    broadcaster.on('dialog', (dialog) => {
      dialogs.push(dialog.type());
      void dialog.accept();
    });
    await broadcast({ page: broadcaster });
    await broadcaster.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => phaseOf(broadcaster, 'stream-broadcaster')).toBe('idle');
    await broadcaster.reload();
    expect(dialogs).toEqual([]);
    await goLive(broadcaster);
    await broadcaster.reload();
    expect(dialogs).toEqual(['beforeunload']);
  });
});

import type { Page } from '@playwright/test';
import type { StreamBroadcasterElement } from '../../../src/elements/broadcaster/stream-broadcaster-element.ts';
import { noteEvents } from '../support/event-log.ts';
import { expectMovingPicture, goLive, phaseOf } from '../support/pages.ts';
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

/** Gives the tag a moving picture of one colour, with sound: other kinds of media would need another connection. */
function paint(page: Page, fill: string): Promise<void> {
  return page.evaluate(async (name) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
    const context = canvas.getContext('2d')!;
    let step = 0;
    setInterval(() => {
      context.fillStyle = name;
      context.fillRect(0, 0, 320, 180);
      context.fillStyle = '#888';
      context.fillRect((step += 8) % 300, 165, 20, 15);
    }, 50);
    const media = await navigator.mediaDevices.getUserMedia({ audio: true });
    for (const track of canvas.captureStream(20).getTracks()) media.addTrack(track);
    document.querySelector<StreamBroadcasterElement>('stream-broadcaster')!.srcObject = media;
  }, fill);
}

test('a viewer sees what the broadcaster changes while live without an interruption, and only a live page asks before it is left', async ({
  broadcast,
  watching,
}) => {
  const broadcaster = await broadcast();
  const dialogs: string[] = [];
  broadcaster.on('dialog', (dialog) => {
    dialogs.push(dialog.type());
    void dialog.accept();
  });
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
  await expectMovingPicture(viewer);
  await broadcaster.getByRole('button', { name: 'Stop sharing' }).click();
  await expect.poll(kind).toBe('camera');
  await expectMovingPicture(viewer);

  await broadcaster.evaluate(async () => {
    const element = document.querySelector('stream-broadcaster')!;
    element.goLive();
    await element.updateComplete;
    element.goLive();
  });
  for (const name of ['red', 'blue']) {
    await paint(broadcaster, name);
    await expect.poll(() => colour(viewer)).toBe(name);
  }
  expect(await eventNames()).toEqual([]);
  expect(await phaseOf(broadcaster, 'stream-broadcaster')).toBe('live');

  await broadcaster.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => phaseOf(broadcaster, 'stream-broadcaster')).toBe('idle');
  await broadcaster.reload();
  expect(dialogs).toEqual([]);
  await goLive(broadcaster);
  await broadcaster.reload();
  expect(dialogs).toEqual(['beforeunload']);
});

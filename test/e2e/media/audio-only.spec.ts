import type { Page } from '@playwright/test';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.ts';
import { expectMovingPicture, expectSound, phaseOf } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';

/** The kinds of media that arrive, by the counters of the browser. */
const arriving = (page: Page) =>
  page.evaluate(async () => {
    const stats = await document.querySelector<StreamViewerElement>('stream-viewer')!.getStats();
    return [...(stats?.values() ?? [])]
      .filter(({ type, bytesReceived }) => type === 'inbound-rtp' && bytesReceived > 0)
      .map(({ kind }) => String(kind))
      .sort();
  });

test('a viewer with sound alone hears the stream without being sent video, and gets the picture when the page asks for it', async ({
  server: { origin },
  streamName,
  broadcast,
  page,
}) => {
  await broadcast();
  await page.goto(`${origin}/viewer?streamId=main/${streamName}&audioOnly`);
  await expect.poll(() => phaseOf(page, 'stream-viewer')).toBe('live');
  await page.keyboard.press('Tab');
  await expectSound(page);
  expect(await arriving(page)).toEqual(['audio']);
  await page.locator('stream-viewer').evaluate((viewer: StreamViewerElement) => void (viewer.audioOnly = false));
  await expectMovingPicture(page);
  await expect.poll(() => arriving(page)).toEqual(['audio', 'video']);
});

import type { Page } from '@playwright/test';
import { ManagementClient } from '../../../src/management.ts';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.ts';
import { accessibilityFaults } from '../support/accessibility-faults.ts';
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

const setAudioOnly = (page: Page, isOn: boolean) =>
  page.evaluate((on) => document.querySelector('stream-viewer')!.toggleAttribute('audioonly', on), isOn);

test.describe('a viewer with sound alone', () => {
  test('hears an existing link with audioOnly or disableVideo, and the server sends it no video', async ({
    server: { origin },
    streamName,
    broadcast,
    context,
  }) => {
    await broadcast();
    for (const parameter of ['audioOnly=true', 'disableVideo=true']) {
      const page = await context.newPage();
      await page.goto(`${origin}/viewer?streamId=main/${streamName}&${parameter}`);
      await expect.poll(() => phaseOf(page, 'stream-viewer')).toBe('live');
      await expectSound(page);
      expect(await arriving(page)).toEqual(['audio']);
      expect(await accessibilityFaults(page)).toEqual([]);
      await expect(page.getByRole('button', { name: 'Fullscreen' })).toBeHidden();
      await expect(page.getByRole('button', { name: 'Picture in picture' })).toBeHidden();
      await page.close();
    }
  });

  test('gets the picture when the attribute is removed, and loses it when it is set', async ({
    broadcast,
    watching,
  }) => {
    await broadcast();
    const page = await watching();
    await setAudioOnly(page, true);
    await expect.poll(() => arriving(page)).toEqual(['audio']);
    await expectSound(page);
    await setAudioOnly(page, false);
    await expectMovingPicture(page);
    expect(await arriving(page)).toEqual(['audio', 'video']);
  });

  test('shows its statistics and reports what it heard', async ({
    server: { origin },
    apiSecret,
    streamName,
    broadcast,
    context,
  }) => {
    const { sessions } = new ManagementClient({ endpoint: origin, secret: apiSecret });
    const viewerSession = async () => (await sessions.list(streamName)).sessions.find(({ role }) => role === 'viewer');
    await broadcast();
    const page = await context.newPage();
    await page.goto(`${origin}/viewer?streamId=main/${streamName}&audioOnly`);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Statistics').check();
    const statistics = page.locator('stream-viewer').locator('[part=statistics]');
    await expect(statistics).toContainText('opus');

    await expect.poll(async () => (await viewerSession())?.quality?.playedSeconds).toBeGreaterThan(5);
    const { quality } = (await viewerSession())!;
    expect(quality).toMatchObject({ height: null, framesPerSecond: null, firstPictureSeconds: null, freezes: null });
    expect(quality!.roundTripMs ?? 0).toBeGreaterThanOrEqual(0);
    expect(quality!.loss).toBe(0);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expectMovingPicture, frameSize, mediaFlows } from '../support/pages.ts';
import { broadcastHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

const EXAMPLE = join(import.meta.dirname, '../../../demo/custom-controls/page.html');
/** A small picture is enough, and cheap to encode. */
const HEIGHT = 360;
const SMALLEST = 180;

test('the custom controls of the guide switch the sound, pause, play and select a quality, by mouse and by keyboard', async ({
  server: { origin },
  address,
  context,
  otherSite,
  page,
}) => {
  await broadcastHeadless(await context.newPage(), address, { simulcast: true }, { height: HEIGHT });
  await mediaFlows(address);
  const html = readFileSync(EXAMPLE, 'utf8').replace('/streamgate.js', `${origin}/streamgate.js`);
  otherSite.put('/custom-controls', html);
  await page.goto(`${otherSite.origin}/custom-controls?stream=${address.streamName}`);
  await expectMovingPicture(page);

  const { keyboard } = page;
  const [play, sound] = ['Play', 'Sound'].map((name) => page.getByRole('button', { name })) as [Locator, Locator];
  const quality = page.getByRole('combobox', { name: 'Quality' });
  const tag = page.locator('stream-viewer');
  const isPaused = () => tag.evaluate((viewer: HTMLVideoElement) => viewer.paused);
  const isMuted = () => tag.evaluate((viewer: HTMLVideoElement) => viewer.muted);
  const shownHeight = async () => (await frameSize(page, 'stream-viewer'))?.height;
  /** The scripts of a test count as a click, so that the sound may be on or off at first. */
  const expectToggledSound = async (act: () => Promise<void>): Promise<void> => {
    const before = await isMuted();
    await act();
    expect(await isMuted()).toBe(!before);
    await expect(sound).toHaveAttribute('aria-pressed', String(before));
  };
  const expectToggledPause = async (pause: () => Promise<void>, goOn: () => Promise<void>): Promise<void> => {
    await expect(play).toHaveAttribute('aria-pressed', 'true');
    await pause();
    await expect(play).toHaveAttribute('aria-pressed', 'false');
    expect(await isPaused()).toBe(true);
    await goOn();
    await expect(play).toHaveAttribute('aria-pressed', 'true');
    await expectMovingPicture(page);
  };

  await expectToggledSound(() => sound.click());
  await expectToggledSound(() => sound.click());
  await expectToggledPause(
    () => play.click(),
    () => play.click(),
  );
  await expect(quality.getByRole('option')).toHaveText(['auto', '360', '180']);
  await quality.selectOption(String(SMALLEST));
  await expect.poll(shownHeight).toBe(SMALLEST);
  await quality.selectOption(String(HEIGHT));
  await expect.poll(shownHeight).toBe(HEIGHT);

  // In the order of the page.
  await play.focus();
  await keyboard.press('Tab');
  await expect(sound).toBeFocused();
  await expectToggledSound(() => keyboard.press('Enter'));
  await keyboard.press('Tab');
  await expect(quality).toBeFocused();
  // The list is closed: the key selects the last option.
  await keyboard.press('End');
  await expect(quality).toHaveValue(String(SMALLEST));
  await expect.poll(shownHeight).toBe(SMALLEST);
  await play.focus();
  await expectToggledPause(
    () => keyboard.press('Space'),
    () => keyboard.press('Enter'),
  );
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expectMovingPicture, frameSize, mediaFlows } from '../support/pages.ts';
import { broadcastHeadless } from '../support/tagless.ts';
import { expect, test as base } from '../support/test.ts';

const EXAMPLE = join(import.meta.dirname, '../../../demo/custom-controls/page.html');
/** A small picture is enough, and cheap to encode. */
const HEIGHT = 360;
const SMALLEST = 180;

interface Fixtures {
  /** The page of docs/guides/custom-controls.md, served by the server, while it plays a stream in two layers. */
  example: Page;
}

const test = base.extend<Fixtures>({
  example: async ({ server: { origin }, tokens, streamName, context, otherSite, page }, use) => {
    const token = await tokens.publish(streamName);
    const broadcaster = await context.newPage();
    await broadcastHeadless(broadcaster, { origin, streamName, token }, { simulcast: true }, { height: HEIGHT });
    await mediaFlows({ origin, streamName });
    const html = readFileSync(EXAMPLE, 'utf8').replace('/streamgate.js', `${origin}/streamgate.js`);
    otherSite.put('/custom-controls', html);
    await page.goto(`${otherSite.origin}/custom-controls?stream=${streamName}`);
    await expectMovingPicture(page);
    await use(page);
  },
});

const button = (page: Page, name: string) => page.getByRole('button', { name });
const quality = (page: Page) => page.getByRole('combobox', { name: 'Quality' });
const isPaused = (page: Page) => page.locator('stream-viewer').evaluate((viewer: HTMLVideoElement) => viewer.paused);
/** The scripts of a test count as a click, so that the sound may be on or off at first. */
async function expectToggle(sound: Locator, act: () => Promise<void>): Promise<void> {
  const isMuted = () =>
    sound
      .page()
      .locator('stream-viewer')
      .evaluate((viewer: HTMLVideoElement) => viewer.muted);
  const before = await isMuted();
  await act();
  expect(await isMuted()).toBe(!before);
  await expect(sound).toHaveAttribute('aria-pressed', String(before));
}
const shownHeight = async (page: Page) => (await frameSize(page, 'stream-viewer'))?.height;

test('the custom controls of the guide switch the sound, pause, play and select a quality', async ({ example }) => {
  const [play, sound] = [button(example, 'Play'), button(example, 'Sound')];
  await expectToggle(sound, () => sound.click());
  await expectToggle(sound, () => sound.click());

  await expect(play).toHaveAttribute('aria-pressed', 'true');
  await play.click();
  await expect(play).toHaveAttribute('aria-pressed', 'false');
  expect(await isPaused(example)).toBe(true);
  await play.click();
  await expect(play).toHaveAttribute('aria-pressed', 'true');
  await expectMovingPicture(example);

  await expect(quality(example).getByRole('option')).toHaveText(['auto', '360', '180']);
  await quality(example).selectOption(String(SMALLEST));
  await expect.poll(() => shownHeight(example)).toBe(SMALLEST);
  await quality(example).selectOption(String(HEIGHT));
  await expect.poll(() => shownHeight(example)).toBe(HEIGHT);
});

test('the custom controls of the guide work by keyboard, in the order of the page', async ({ example }) => {
  const { keyboard } = example;
  const [play, sound] = [button(example, 'Play'), button(example, 'Sound')];
  await play.focus();
  await keyboard.press('Tab');
  await expect(sound).toBeFocused();
  await expectToggle(sound, () => keyboard.press('Enter'));

  await expect(quality(example).getByRole('option')).toHaveCount(3);
  await keyboard.press('Tab');
  await expect(quality(example)).toBeFocused();
  // The list is closed: the key selects the last option.
  await keyboard.press('End');
  await expect(quality(example)).toHaveValue(String(SMALLEST));
  await expect.poll(() => shownHeight(example)).toBe(SMALLEST);

  await play.focus();
  await keyboard.press('Space');
  await expect(play).toHaveAttribute('aria-pressed', 'false');
  expect(await isPaused(example)).toBe(true);
  await keyboard.press('Enter');
  await expect(play).toHaveAttribute('aria-pressed', 'true');
  await expectMovingPicture(example);
});

import type { Page } from '@playwright/test';
import { expectMovingPicture } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';
import { readTimeCodes } from '../support/time-code-reader.ts';
import { broadcastTimeCodes } from '../support/time-coded-broadcaster.ts';

/** What the estimate may differ from the time in the picture: one picture of the broadcast, and one of the screen. */
const MOST_MS = 60;
const SAMPLES = 20;

interface Sample {
  /** How old a picture was when it was first visible, in milliseconds. */
  readonly measured: number;
  readonly estimated: number;
}

/** Of so many different pictures. Both clocks are the same here. */
const samplesOf = (page: Page): Promise<Sample[]> =>
  page.evaluate(async (count) => {
    const viewer = document.querySelector('stream-viewer')!;
    const samples: Sample[] = [];
    let before = window.look().drawnAt;
    while (samples.length < count) {
      await new Promise(requestAnimationFrame);
      const { drawnAt, now } = window.look();
      const estimated = 1_000 * (viewer.captureLatency ?? NaN);
      if (drawnAt > before + 5) samples.push({ measured: now - drawnAt, estimated });
      if (drawnAt > before) before = drawnAt;
    }
    return samples;
  }, SAMPLES);

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

test.describe('the capture latency of a viewer', () => {
  for (const codec of ['vp8', 'h264'] as const) {
    test(`is how old the picture is that they see, in ${codec}`, async ({
      address,
      server: { origin },
      page,
      context,
    }, info) => {
      await broadcastTimeCodes(await context.newPage(), address, { codec });
      await page.goto(`${origin}/viewer?streamId=main/${address.streamName}&muted`);
      await expectMovingPicture(page);
      await readTimeCodes(page);
      await expect
        .poll(() => page.evaluate(() => document.querySelector('stream-viewer')!.captureLatency))
        .toBeGreaterThan(0);
      const samples = await samplesOf(page);
      const error = median(samples.map(({ measured, estimated }) => estimated - measured));
      const measured = median(samples.map((sample) => sample.measured));
      info.annotations.push({ type: 'figures', description: JSON.stringify({ codec, measured, error }) });
      expect(Math.abs(error)).toBeLessThan(MOST_MS);
    });
  }

  test('is in the statistics', async ({ address, server: { origin }, page, context }) => {
    await broadcastTimeCodes(await context.newPage(), address);
    await page.goto(`${origin}/viewer?streamId=main/${address.streamName}&muted`);
    await expectMovingPicture(page);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('checkbox', { name: 'Statistics' }).check();
    const row = page.locator('dt', { hasText: 'Camera to screen' }).locator('+ dd');
    await expect(row).toHaveText(/^\d+ ms$/);
  });
});

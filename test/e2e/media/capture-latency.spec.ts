import type { Page } from '@playwright/test';
import { expectMovingPicture, type StreamAddress } from '../support/pages.ts';
import { expect, test } from '../support/test.ts';
import { readTimeCodes } from '../support/time-code-reader.ts';
import { broadcastTimeCodes } from '../support/time-coded-broadcaster.ts';

/** What the estimate may differ from the time in the picture: several pictures of a busy machine. */
const MOST_MS = 250;
/** How long the browser of the viewer keeps each frame. Much more than that, so that the estimate must be one. */
const KEPT_MS = 600;
const SAMPLES = 15;

interface Sample {
  /** How old a picture was when it was first visible, in milliseconds. */
  readonly measured: number;
  readonly estimated: number;
}

/** Opens the hosted viewer, whose browser shows the pictures late. */
async function watchLate(page: Page, { origin, streamName }: StreamAddress): Promise<void> {
  await page.addInitScript((keptMs) => {
    const add = RTCPeerConnection.prototype.addTransceiver;
    RTCPeerConnection.prototype.addTransceiver = function (...given) {
      const transceiver = add.apply(this, given);
      transceiver.receiver.jitterBufferTarget = keptMs;
      return transceiver;
    };
  }, KEPT_MS);
  await page.goto(`${origin}/viewer?streamId=main/${streamName}&muted`);
  await expectMovingPicture(page);
}

/** Of so many different pictures. The clock of both pages is the same. */
const samplesOf = (page: Page): Promise<Sample[]> =>
  page.evaluate(async (count) => {
    const viewer = document.querySelector('stream-viewer')!;
    const samples: Sample[] = [];
    let newest = window.look().drawnAt;
    while (samples.length < count) {
      await new Promise(requestAnimationFrame);
      const { drawnAt, now } = window.look();
      if (!(drawnAt > newest + 5)) continue;
      newest = drawnAt;
      samples.push({ measured: now - drawnAt, estimated: 1_000 * (viewer.captureLatency ?? NaN) });
    }
    return samples;
  }, SAMPLES);

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

test('the capture latency of a viewer is how old the pictures are that they see, also in the statistics', async ({
  address,
  page,
  context,
}, info) => {
  await broadcastTimeCodes(await context.newPage(), address, { codec: 'h264' }, ['camera'], {
    width: 320,
    height: 180,
  });
  await watchLate(page, address);
  await readTimeCodes(page);
  const latencyMs = () => page.evaluate(() => 1_000 * (document.querySelector('stream-viewer')!.captureLatency ?? NaN));
  // The browser comes to the longer delay by and by.
  await expect.poll(latencyMs).toBeGreaterThan(KEPT_MS - MOST_MS);
  const samples = await samplesOf(page);
  const measured = median(samples.map((sample) => sample.measured));
  const error = median(samples.map((sample) => sample.estimated - sample.measured));
  info.annotations.push({ type: 'figures', description: JSON.stringify({ measured, error }) });
  expect(Math.abs(error), JSON.stringify(samples)).toBeLessThan(MOST_MS);

  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('checkbox', { name: 'Statistics' }).check();
  const row = page.locator('dt', { hasText: 'Camera to screen' }).locator('+ dd');
  await expect(row).toHaveText(/^\d+ ms$/);
});

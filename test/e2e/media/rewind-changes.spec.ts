import type { Page } from '@playwright/test';
import { expectMovingPicture } from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';
import { look, readTimeCodes, takeSeen, type Seen } from '../support/time-code-reader.ts';
import { broadcastTimeCodes, resizePicture, setPictures } from '../support/time-coded-broadcaster.ts';

type Codec = 'h264' | 'vp9';

interface Fixtures {
  /** Goes live with a token that records. */
  recorded: (codec: Codec) => Promise<Page>;
  /** Opens a viewer with a timeline. */
  rewinding: (player: Player) => Promise<Page>;
}

/** What plays the recording. */
type Player = 'the HLS of the browser' | 'hls.js';

const test = base.extend<Fixtures>({
  recorded: async ({ server: { origin }, tokens, streamName, context }, use) =>
    use(async (codec) => {
      const token = await tokens.publish(streamName, { record: true });
      const page = await context.newPage();
      await broadcastTimeCodes(page, { origin, streamName, token }, { codec });
      return page;
    }),
  rewinding: async ({ server: { origin }, streamName, page }, use) => {
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await use(async (player) => {
      // As Firefox answers.
      if (player === 'hls.js') await page.addInitScript(() => (HTMLMediaElement.prototype.canPlayType = () => ''));
      await page.goto(`${origin}/viewer?streamId=main/${streamName}&dvr&muted`);
      await expectMovingPicture(page);
      await expect(slider(page)).toBeVisible({ timeout: 30_000 });
      return page;
    });
    expect(faults).toEqual([]);
  },
});

const slider = (page: Page) => page.getByRole('slider', { name: 'Timeline' });
const recordedSeconds = async (page: Page) => Number(await slider(page).getAttribute('max'));
const recordingMs = async (page: Page) => (await look(page)).recordingMs ?? -1;
const isRead = ({ drawnAt }: Seen): boolean => !Number.isNaN(drawnAt);

/** Waits until so much more is recorded. */
async function wait(page: Page, seconds: number): Promise<void> {
  const until = (await recordedSeconds(page)) + seconds;
  await expect.poll(() => recordedSeconds(page), { timeout: 60_000 }).toBeGreaterThan(until);
}

/** What is seen from the beginning of the recording on, up to this time in it. */
async function seenUpTo(page: Page, endSeconds: number): Promise<readonly Seen[]> {
  await readTimeCodes(page);
  await slider(page).evaluate((input: HTMLInputElement) => {
    input.value = '0';
    input.dispatchEvent(new Event('change'));
  });
  await expect.poll(() => recordingMs(page), { timeout: 20_000 }).toBeGreaterThan(1_000);
  await takeSeen(page);
  await expect.poll(() => recordingMs(page), { timeout: 90_000 }).toBeGreaterThan(1_000 * endSeconds);
  return (await takeSeen(page)).filter((one) => one.recordingMs !== undefined);
}

const stepsOf = (values: readonly number[]) => values.slice(1).map((value, index) => value - values[index]!);

for (const [player, codec] of [
  ['the HLS of the browser', 'h264'],
  ['hls.js', 'vp9'],
] as const) {
  test(`a picture that changes its size is played by ${player} in its shape, in ${codec}`, async ({
    recorded,
    rewinding,
  }) => {
    test.setTimeout(150_000);
    // A window of another size, then a phone that is turned.
    const sizes = [
      { width: 640, height: 360 },
      { width: 320, height: 180 },
      { width: 360, height: 640 },
    ];
    const broadcaster = await recorded(codec);
    const page = await rewinding(player);
    for (const size of sizes) {
      await resizePicture(broadcaster, size);
      await wait(page, 5);
    }
    const end = await recordedSeconds(page);
    await wait(page, 12);
    const pictures = await seenUpTo(page, end);
    expect([...new Set(pictures.map(({ width, height }) => `${width}x${height}`))]).toEqual(
      sizes.map(({ width, height }) => `${width}x${height}`),
    );
    const readable = pictures.filter(isRead);
    const steps = stepsOf(readable.map(({ drawnAt }) => drawnAt));
    expect(Math.min(...steps), 'never goes back').toBeGreaterThanOrEqual(0);
    expect(Math.max(...steps), 'leaves no segment out').toBeLessThan(1_900);
    expect(readable.length / pictures.length, 'has a picture at nearly every frame').toBeGreaterThan(0.9);
  });

  test(`sound is played on by ${player} while no picture was sent, and the picture afterwards`, async ({
    recorded,
    rewinding,
  }) => {
    test.setTimeout(180_000);
    const broadcaster = await recorded('h264');
    const page = await rewinding(player);
    await wait(page, 6);
    await setPictures(broadcaster, false);
    const offAt = Date.now();
    await wait(page, 20);
    await setPictures(broadcaster, true);
    const onAt = Date.now();
    await wait(page, 6);
    const end = await recordedSeconds(page);
    await wait(page, 12);

    const pictures = await seenUpTo(page, end);
    // It plays through the time without pictures as through any other: nothing is left out, and nothing stops.
    const jumps = stepsOf(pictures.map((one) => one.recordingMs!));
    expect(Math.max(...jumps), 'leaves no segment out').toBeLessThan(1_900);
    const [first, last] = [pictures[0]!, pictures.at(-1)!];
    expect((last.recordingMs! - first.recordingMs!) / (last.now - first.now)).toBeGreaterThan(0.9);
    const drawn = pictures.filter(isRead).map(({ drawnAt }) => drawnAt);
    expect(drawn.filter((at) => at > offAt + 1_500 && at < onAt - 1_500)).toEqual([]);
    expect(drawn.at(-1)!, 'the picture is back').toBeGreaterThan(onAt);
  });
}

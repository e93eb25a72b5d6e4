import type { Page } from '@playwright/test';
import { expectMovingPicture } from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';
import { look, readTimeCodes, takeSeen, type Seen } from '../support/time-code-reader.ts';
import { broadcastTimeCodes, resizePicture, setPictures, turnOn } from '../support/time-coded-broadcaster.ts';

type Codec = 'h264' | 'vp9';

interface Fixtures {
  /** Goes live with a token that records. */
  recorded: (codec: Codec) => Promise<Page>;
  /** Waits until so many seconds more can be gone back in. @returns how many there are then, at least */
  wait: (seconds: number) => Promise<number>;
  /** Opens a viewer whose stream is recorded. Resolves when there is a timeline. */
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
  wait: async ({ server: { origin }, streamName }, use) => {
    const listed = async (): Promise<number> => {
      const response = await fetch(`${origin}/api/hls/main/${streamName}`, { method: 'POST', body: '{}' });
      return response.ok ? (await response.json()).data.seconds : 0;
    };
    await use(async (seconds) => {
      const until = (await listed()) + seconds;
      await expect.poll(listed, { timeout: 60_000 }).toBeGreaterThan(until);
      return until;
    });
  },
  rewinding: async ({ server: { origin }, streamName, page }, use) => {
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await use(async (player) => {
      // As Firefox answers.
      if (player === 'hls.js') await page.addInitScript(() => (HTMLMediaElement.prototype.canPlayType = () => ''));
      await page.goto(`${origin}/viewer?streamId=main/${streamName}&dvr&muted`);
      await expect(slider(page)).toBeVisible();
      return page;
    });
    expect(faults).toEqual([]);
  },
});

const slider = (page: Page) => page.getByRole('slider', { name: 'Timeline' });
const recordingMs = async (page: Page) => (await look(page)).recordingMs ?? -1;
const isRead = ({ drawnAt }: Seen): boolean => !Number.isNaN(drawnAt);

async function goBackToStart(page: Page): Promise<void> {
  await readTimeCodes(page);
  await slider(page).evaluate((input: HTMLInputElement) => {
    input.value = '0';
    input.dispatchEvent(new Event('change'));
  });
}

/** What is seen from the beginning of the recording on, up to this time in it. */
async function seenUpTo(page: Page, endSeconds: number): Promise<readonly Seen[]> {
  await goBackToStart(page);
  await expect.poll(() => recordingMs(page)).toBeGreaterThan(1_000);
  await takeSeen(page);
  await expect.poll(() => recordingMs(page), { timeout: 90_000 }).toBeGreaterThan(1_000 * endSeconds);
  return (await takeSeen(page)).filter((one) => one.recordingMs !== undefined);
}

const stepsOf = (values: readonly number[]) => values.slice(1).map((value, index) => value - values[index]!);

// A window of another size, then a phone that is turned.
const SIZES = [
  { width: 640, height: 360 },
  { width: 320, height: 180 },
  { width: 360, height: 640 },
];

for (const [player, codec] of [
  ['the HLS of the browser', 'h264'],
  ['hls.js', 'vp9'],
] as const) {
  test(`${player} plays pictures of changing sizes, the sound while no picture is sent, and the next picture, in ${codec}`, async ({
    recorded,
    wait,
    rewinding,
  }) => {
    const broadcaster = await recorded(codec);
    for (const size of SIZES) {
      await resizePicture(broadcaster, size);
      await wait(4);
    }
    await setPictures(broadcaster, false);
    const offAt = Date.now();
    await wait(8);
    await setPictures(broadcaster, true);
    const onAt = Date.now();
    const end = await wait(6);
    const page = await rewinding(player);
    await expectMovingPicture(page);

    const pictures = await seenUpTo(page, end);
    expect([...new Set(pictures.map(({ width, height }) => `${width}x${height}`))]).toEqual(
      SIZES.map(({ width, height }) => `${width}x${height}`),
    );
    // It plays through the time without pictures as through any other: nothing is left out, and nothing stops.
    const jumps = stepsOf(pictures.map((one) => one.recordingMs!));
    expect(Math.max(...jumps), 'leaves no segment out').toBeLessThan(1_900);
    const [first, last] = [pictures[0]!, pictures.at(-1)!];
    expect((last.recordingMs! - first.recordingMs!) / (last.now - first.now)).toBeGreaterThan(0.9);
    expect(pictures.filter(isRead).length / pictures.length, 'has a picture at nearly every frame').toBeGreaterThan(
      0.9,
    );

    const drawn = pictures.filter(isRead).map(({ drawnAt }) => drawnAt);
    // From then on, the keyframe before the last picture is shown.
    const lastDrawn = Math.max(...drawn.filter((at) => at < offAt));
    const steps = stepsOf(drawn.slice(0, drawn.indexOf(lastDrawn)));
    expect(Math.min(...steps), 'never goes back').toBeGreaterThanOrEqual(0);
    expect(Math.max(...steps), 'leaves no picture out').toBeLessThan(1_900);
    expect(drawn.filter((at) => at > offAt + 1_500 && at < onAt - 1_500)).toEqual([]);
    expect(drawn.at(-1)!, 'the picture is back').toBeGreaterThan(onAt);
  });
}

for (const player of ['the HLS of the browser', 'hls.js'] as const) {
  test(`${player} goes on where somebody who began with the microphone turns the camera on, and off again`, async ({
    server: { origin },
    tokens,
    streamName,
    context,
    wait,
    rewinding,
  }) => {
    const token = await tokens.publish(streamName, { record: true });
    const broadcaster = await context.newPage();
    await broadcastTimeCodes(broadcaster, { origin, streamName, token }, { codec: 'h264' }, ['microphone']);
    // Who comes near the end returns to live, and a broadcast that begins again adds nothing for some seconds.
    await wait(20);
    const page = await rewinding(player);
    await goBackToStart(page);
    await expect.poll(() => recordingMs(page)).toBeGreaterThan(500);
    await takeSeen(page);

    // It is watched meanwhile.
    await turnOn(broadcaster, ['camera', 'microphone']);
    const onAt = Date.now();
    await wait(8);
    await turnOn(broadcaster, ['microphone']);
    const offAt = Date.now();
    const end = await wait(6);
    await expect.poll(() => recordingMs(page), { timeout: 90_000 }).toBeGreaterThan(1_000 * (end - 1));

    const seen = await takeSeen(page);
    expect(
      seen.filter((one) => one.recordingMs === undefined),
      'never leaves the recording',
    ).toEqual([]);
    const steps = stepsOf(seen.map((one) => one.recordingMs!));
    expect([Math.min(...steps) >= 0, Math.max(...steps) < 1_900], 'leaves nothing out').toEqual([true, true]);
    const sizes = seen.map(({ width, height }) => `${width}x${height}`);
    expect(sizes.filter((size, index) => size !== sizes[index - 1])).toEqual(['160x90', '640x360', '160x90']);
    const pictures = seen.filter(({ width }) => width === 640);
    const drawn = pictures.filter(isRead).map(({ drawnAt }) => drawnAt);
    expect(drawn.length).toBeGreaterThan(8);
    expect(drawn.length / pictures.length, 'has a picture at nearly every frame').toBeGreaterThan(0.9);
    expect(drawn.filter((at) => at < onAt || at > offAt)).toEqual([]);
  });
}

import { readTimeCodes, look, takeSeen, type Seen } from '../e2e/support/time-code-reader.ts';
import { broadcastTimeCodes, resizePicture, turnOn } from '../e2e/support/time-coded-broadcaster.ts';
import { FirefoxPage } from './firefox-page.ts';
import { expect, test } from './test.ts';

/** How old the visible picture is, in milliseconds. */
const age = ({ now, drawnAt }: Seen): number => now - drawnAt;
const isRead = ({ drawnAt }: Seen): boolean => !Number.isNaN(drawnAt);

test.describe('Firefox, which has no HLS of its own', () => {
  // In VP9: for H.264 live, Firefox would first have to download its plugin.
  test('goes back in a recorded stream, plays the picture of then, and returns to live', async ({
    server: { origin },
    tokens,
    streamName,
    context,
    firefox,
  }) => {
    test.setTimeout(240_000);
    const token = await tokens.publish(streamName, { record: true });
    const broadcaster = await context.newPage();
    await broadcastTimeCodes(broadcaster, { origin, streamName, token }, { codec: 'vp9' });
    const viewer = await FirefoxPage.watch(firefox, { origin, streamName }, '&dvr&muted');
    await viewer.expectMovingPicture();
    await expect.poll(() => viewer.evaluate(recordedSeconds, undefined), { timeout: 60_000 }).toBeGreaterThan(8);
    // As a broadcaster who turns the phone.
    await resizePicture(broadcaster, { width: 360, height: 640 });
    await expect.poll(() => viewer.evaluate(recordedSeconds, undefined), { timeout: 90_000 }).toBeGreaterThan(26);
    await readTimeCodes(viewer);
    expect(age(await look(viewer))).toBeLessThan(1_500);
    expect(await viewer.evaluate(playerScripts, undefined)).toEqual([]);

    const wentBackAt = Date.now();
    await viewer.evaluate(seekTo, 1);
    await expect.poll(async () => (await look(viewer)).recordingMs ?? -1).toBeGreaterThan(2_000);
    expect(await viewer.evaluate(playerScripts, undefined)).toEqual([`${origin}/hls-player.js`]);
    await expect.poll(async () => (await look(viewer)).recordingMs ?? -1, { timeout: 60_000 }).toBeGreaterThan(18_000);
    const pictures = (await takeSeen(viewer)).filter((one) => one.recordingMs !== undefined && isRead(one));
    expect(
      pictures.every(({ drawnAt }) => drawnAt < wentBackAt),
      'pictures of then',
    ).toBe(true);
    const sizes = [...new Set(pictures.map(({ width, height }) => `${width}x${height}`))];
    expect(sizes).toEqual(['640x360', '360x640']);
    const steps = pictures.slice(1).map(({ drawnAt }, index) => drawnAt - pictures[index]!.drawnAt);
    expect(Math.min(...steps), 'never goes back').toBeGreaterThanOrEqual(0);
    expect(Math.max(...steps), 'leaves no segment out').toBeLessThan(1_900);

    await viewer.press('Go to live');
    await expect.poll(async () => (await look(viewer)).recordingMs).toBeUndefined();
    await expect.poll(async () => age(await look(viewer))).toBeLessThan(1_500);
    const dark = (await takeSeen(viewer)).filter((one) => !isRead(one));
    expect(dark, 'a picture at every frame').toEqual([]);
    await viewer.expectMovingPicture();
    await viewer.close();
  });

  test('goes on where somebody who began with the microphone turns the camera on, and off again', async ({
    server: { origin },
    tokens,
    streamName,
    context,
    firefox,
  }) => {
    test.setTimeout(300_000);
    const token = await tokens.publish(streamName, { record: true });
    const broadcaster = await context.newPage();
    await broadcastTimeCodes(broadcaster, { origin, streamName, token }, { codec: 'vp9' }, ['microphone']);
    const viewer = await FirefoxPage.watch(firefox, { origin, streamName }, '&dvr&muted');
    const recorded = () => viewer.evaluate(recordedSeconds, undefined);
    const recordingMs = async () => (await look(viewer)).recordingMs ?? -1;
    await expect.poll(recorded, { timeout: 90_000 }).toBeGreaterThan(20);
    await readTimeCodes(viewer);
    await viewer.evaluate(seekTo, 1);
    await expect.poll(recordingMs).toBeGreaterThan(1_500);
    await takeSeen(viewer);

    // It is watched meanwhile.
    const addedAfter = async (devices: Parameters<typeof turnOn>[1], seconds: number): Promise<number> => {
      const until = (await recorded()) + seconds;
      await turnOn(broadcaster, devices);
      await expect.poll(recorded, { timeout: 60_000 }).toBeGreaterThan(until);
      return until;
    };
    await addedAfter(['camera', 'microphone'], 8);
    const end = await addedAfter(['microphone'], 6);
    await expect.poll(recordingMs, { timeout: 90_000 }).toBeGreaterThan(1_000 * (end - 1));

    const seen = await takeSeen(viewer);
    const left = seen.filter((one) => one.recordingMs === undefined);
    expect(left, 'never leaves the recording').toEqual([]);
    const sizes = seen.map(({ width, height }) => `${width}x${height}`);
    expect(sizes.filter((size, index) => size !== sizes[index - 1])).toEqual(['160x90', '640x360', '160x90']);
    const pictures = seen.filter(({ width }) => width === 640);
    expect(pictures.filter(isRead).length / pictures.length, 'has a picture at nearly every frame').toBeGreaterThan(
      0.9,
    );
    await viewer.close();
  });
});

/** Runs in the page, as the next two. */
function recordedSeconds(): number {
  const slider = document.querySelector('stream-viewer')!.shadowRoot!.querySelector('[part=timeline-slider]');
  return Number(slider?.getAttribute('max'));
}

function seekTo(seconds: number): void {
  const { shadowRoot } = document.querySelector('stream-viewer')!;
  const slider = shadowRoot!.querySelector<HTMLInputElement>('[part=timeline-slider]')!;
  slider.value = String(seconds);
  slider.dispatchEvent(new Event('change'));
}

function playerScripts(): string[] {
  return performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.endsWith('/hls-player.js'));
}

import { look, readTimeCodes, takeSeen, type Seen } from '../e2e/support/time-code-reader.ts';
import { broadcastTimeCodes } from '../e2e/support/time-coded-broadcaster.ts';
import { startServerWithRecording } from './changing-recording.ts';
import { FirefoxPage } from './firefox-page.ts';
import { expect, test } from './test.ts';

const isRead = ({ drawnAt }: Seen): boolean => !Number.isNaN(drawnAt);

// In VP9: for H.264 live, Firefox would first have to download its plugin.
test('Firefox, which has no HLS of its own, goes back in a recorded stream, plays the pictures of then in all their sizes, and returns to live', async ({
  context,
  firefox,
}) => {
  const { origin, streamName, token, startsAt, close } = await startServerWithRecording();
  try {
    const wentLiveAt = Date.now();
    await broadcastTimeCodes(await context.newPage(), { origin, streamName, token }, { codec: 'vp9' });
    const viewer = await FirefoxPage.watch(firefox, { origin, streamName }, '&dvr&muted');
    await viewer.expectMovingPicture();
    await readTimeCodes(viewer);
    await expect.poll(async () => (await look(viewer)).drawnAt).toBeGreaterThan(wentLiveAt);
    expect(await viewer.evaluate(playerScripts, undefined)).toEqual([]);

    await viewer.evaluate(seekTo, 0.5);
    const recordingMs = async () => (await look(viewer)).recordingMs ?? -1;
    await expect.poll(recordingMs).toBeGreaterThan(1_000);
    expect(await viewer.evaluate(playerScripts, undefined)).toEqual([`${origin}/hls-player.js`]);
    await takeSeen(viewer);
    await expect.poll(recordingMs).toBeGreaterThan(15_000);
    const seen = await takeSeen(viewer);
    const left = seen.filter((one) => one.recordingMs === undefined);
    expect(left, 'never leaves the recording').toEqual([]);
    const sizes = seen.map(({ width, height }) => `${width}x${height}`);
    // Of a part with sound alone, the picture is black.
    const changes = ['160x90', '320x180', '180x320', '160x90'];
    expect(sizes.filter((size, index) => size !== sizes[index - 1])).toEqual(changes);
    expect(await viewer.evaluate(playedRanges, undefined), 'leaves nothing out').toBe(1);
    const pictures = seen.filter(({ width }) => width !== 160);
    expect(pictures.filter(isRead).length / pictures.length, 'has a picture at nearly every frame').toBeGreaterThan(
      0.9,
    );
    const errors = pictures.filter(isRead).map((one) => Math.abs(one.drawnAt - startsAt - one.recordingMs!));
    expect(Math.max(...errors), 'shows the picture of then').toBeLessThan(1_000);

    const returnedAt = Date.now();
    await viewer.press('Go to live');
    await expect.poll(recordingMs).toBe(-1);
    await expect.poll(async () => (await look(viewer)).drawnAt).toBeGreaterThan(returnedAt);
    const live = (await takeSeen(viewer)).filter((one) => one.recordingMs === undefined);
    expect(
      live.filter((one) => !isRead(one)),
      'a picture at every frame',
    ).toEqual([]);
    await viewer.expectMovingPicture();
    await viewer.close();
  } finally {
    await close();
  }
});

/** Runs in the page, as the next two. */
function seekTo(seconds: number): void {
  const { shadowRoot } = document.querySelector('stream-viewer')!;
  const slider = shadowRoot!.querySelector<HTMLInputElement>('[part=timeline-slider]')!;
  slider.value = String(seconds);
  slider.dispatchEvent(new Event('change'));
}

function playedRanges(): number {
  return document.querySelector('stream-viewer')!.shadowRoot!.querySelector<HTMLVideoElement>('.recording')!.played
    .length;
}

function playerScripts(): string[] {
  return performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.endsWith('/hls-player.js'));
}

import type { Page } from '@playwright/test';
import { expectMovingPicture } from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';
import { look, readTimeCodes, takeSeen, type Seen } from '../support/time-code-reader.ts';
import { broadcastTimeCodes, endBroadcast } from '../support/time-coded-broadcaster.ts';

interface Fixtures {
  /** Goes live in H264 with a token that records. */
  recorded: () => Promise<Page>;
  /** Opens a viewer with a timeline, and waits until so many seconds can be gone back. */
  rewinding: (options?: { token?: string; seconds?: number }) => Promise<Page>;
  /** The recording as the API describes it. */
  recording: () => Promise<{ readonly state: string; readonly startedOn: string }>;
  /** Ends the recording: nobody waits for the publisher to come back. */
  stopRecording: () => Promise<void>;
}

const test = base.extend<Fixtures>({
  recorded: async ({ server: { origin }, tokens, streamName, context }, use) =>
    use(async () => {
      const token = await tokens.publish(streamName, { record: true });
      const page = await context.newPage();
      await broadcastTimeCodes(page, { origin, streamName, token }, { codec: 'h264' });
      return page;
    }),
  rewinding: async ({ server: { origin }, streamName, page }, use) =>
    use(async ({ token, seconds = 10 } = {}) => {
      await page.goto(`${origin}/viewer?streamId=main/${streamName}&dvr&muted${token ? `#token=${token}` : ''}`);
      await expectMovingPicture(page);
      const length = async () => Number(await slider(page).getAttribute('max'));
      await expect.poll(length, { timeout: 60_000 }).toBeGreaterThan(seconds);
      await readTimeCodes(page);
      return page;
    }),
  recording: async ({ server: { origin }, apiSecret, streamName }, use) =>
    use(async () => {
      const headers = { authorization: `Bearer ${apiSecret}` };
      const response = await fetch(`${origin}/api/recordings?streamName=${streamName}`, { headers });
      return (await response.json()).data[0];
    }),
  stopRecording: async ({ server: { origin }, apiSecret, streamName }, use) =>
    use(async () => {
      const headers = { authorization: `Bearer ${apiSecret}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ record: false }) };
      expect((await fetch(`${origin}/api/streams/${streamName}/record`, init)).status).toBe(200);
    }),
});

const slider = (page: Page) => page.getByRole('slider', { name: 'Timeline' });
const seekTo = (page: Page, seconds: number) =>
  slider(page).evaluate((input: HTMLInputElement, value) => {
    input.value = String(value);
    input.dispatchEvent(new Event('change'));
  }, seconds);
const recordingMs = async (page: Page) => (await look(page)).recordingMs ?? -1;
const isRead = ({ drawnAt }: Seen) => !Number.isNaN(drawnAt);
/** How old the visible picture is, in milliseconds. */
const age = async (page: Page) => {
  const { now, drawnAt } = await look(page);
  return now - drawnAt;
};

test.describe('a broadcast that is being recorded', () => {
  test('is seen as it was, at twice the speed, and then live again without a dark picture', async ({
    recorded,
    rewinding,
    recording,
  }, info) => {
    await recorded();
    const page = await rewinding();
    expect(await age(page)).toBeLessThan(1_500);

    await seekTo(page, 1);
    await expect.poll(() => recordingMs(page)).toBeGreaterThan(1_500);
    await takeSeen(page);
    const from = await recordingMs(page);
    await expect.poll(() => recordingMs(page)).toBeGreaterThan(from + 2_000);
    const { startedOn } = await recording();
    const pictures = (await takeSeen(page)).filter(isRead);
    expect(pictures.length).toBeGreaterThan(2);
    // The picture of then: the recording says when each picture was.
    const wrong = pictures.map(({ drawnAt, recordingMs }) => drawnAt - Date.parse(startedOn) - recordingMs!);
    expect(Math.max(...wrong.map(Math.abs)), wrong.join(' ')).toBeLessThan(400);
    await page.screenshot({ path: info.outputPath('behind.png') });

    await page.getByRole('combobox', { name: 'Speed' }).selectOption({ label: '2×' });
    const before = await recordingMs(page);
    await takeSeen(page);
    await expect.poll(() => recordingMs(page)).toBeGreaterThan(before + 3_000);
    const faster = (await takeSeen(page)).filter(isRead);
    const [first, last] = [faster[0]!, faster.at(-1)!];
    expect((last.drawnAt - first.drawnAt) / (last.now - first.now)).toBeGreaterThan(1.7);

    await takeSeen(page);
    await page.getByRole('button', { name: 'Go to live' }).click();
    await expect.poll(() => recordingMs(page)).toBe(-1);
    await expect.poll(() => age(page)).toBeLessThan(1_500);
    const onTheWay = await takeSeen(page);
    expect(
      onTheWay.filter((one) => !isRead(one)),
      'a picture at every frame',
    ).toEqual([]);
    await expectMovingPicture(page);
  });

  test('is live again after a moment where no live picture comes', async ({ recorded, rewinding }) => {
    await recorded();
    const page = await rewinding({ seconds: 4 });
    await seekTo(page, 0);
    await expect.poll(() => recordingMs(page)).toBeGreaterThan(500);
    await page.locator('stream-viewer video:not(.recording)').evaluate((video: HTMLVideoElement) => {
      video.requestVideoFrameCallback = () => 0;
    });
    await page.getByRole('button', { name: 'Go to live' }).click();
    await expect.poll(() => recordingMs(page)).toBe(-1);
  });

  test('is taken from a viewer who went back, when the token is disabled', async ({
    recorded,
    rewinding,
    tokens,
    streamName,
    server,
  }) => {
    await recorded();
    const { Id, Token } = await tokens.create('subscribe_token', { streams: [{ streamName }] });
    const page = await rewinding({ token: Token });
    const answer = await fetch(`${server.origin}/api/hls/main/${streamName}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${Token}` },
    }).then((response) => response.json());
    await seekTo(page, 1);
    await expect.poll(() => recordingMs(page)).toBeGreaterThan(2_000);
    const playlist = `${server.origin}${answer.data.path}`;
    const segment = new URL((await (await fetch(playlist)).text()).match(/.+\.m4s/)![0], playlist);
    expect((await fetch(segment)).status).toBe(200);

    const disabledAt = Date.now();
    await tokens.update('subscribe_token', Id, { isActive: false });
    // A player without our tag can fetch nothing more.
    for (const url of [playlist, segment]) expect((await fetch(url)).status).toBe(403);
    await expect(page.locator('stream-viewer .recording[src]')).toHaveCount(0);
    await expect(page.getByText('Your access was turned off')).toBeVisible();
    const shown = (await takeSeen(page)).filter(({ recordingMs }) => recordingMs !== undefined);
    expect(shown.at(-1)!.now - disabledAt).toBeLessThan(2_000);
  });

  test('plays on to its end for a viewer who went back, when the broadcast ends', async ({
    recorded,
    rewinding,
    recording,
    stopRecording,
  }) => {
    const broadcaster = await recorded();
    const page = await rewinding({ seconds: 16 });
    await seekTo(page, 0);
    await expect.poll(() => recordingMs(page)).toBeGreaterThan(1_000);
    await takeSeen(page);
    await endBroadcast(broadcaster);
    const endedAt = Date.now();
    await stopRecording();
    await expect.poll(async () => (await recording()).state, { timeout: 60_000 }).toBe('ready');
    const finishedAt = Date.now();

    const button = page.getByRole('button', { name: 'Watch from the beginning' });
    await expect(button).toBeVisible({ timeout: 60_000 });
    const pictures = (await takeSeen(page)).filter((one) => isRead(one) && one.recordingMs !== undefined);
    const last = pictures.at(-1)!;
    expect(last.now).toBeGreaterThan(finishedAt);
    expect(Math.abs(endedAt - last.drawnAt)).toBeLessThan(1_500);
    const steps = pictures.slice(1).map(({ drawnAt }, index) => drawnAt - pictures[index]!.drawnAt);
    expect(Math.min(...steps), 'never goes back').toBeGreaterThanOrEqual(0);
    expect(Math.max(...steps), 'leaves no segment out').toBeLessThan(1_900);

    await button.click();
    await expect.poll(() => recordingMs(page)).toBeGreaterThan(500);
    expect(await recordingMs(page)).toBeLessThan(5_000);
    expect((await look(page)).drawnAt).toBeLessThan(pictures[0]!.drawnAt + 5_000);
  });
});

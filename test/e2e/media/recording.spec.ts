import { expectMovingPicture, mediaFlows } from '../support/pages.ts';
import { RecordedStreams, type Recorded } from '../support/recorded-streams.ts';
import { broadcastHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

test.describe('a recorded broadcast', () => {
  for (const codec of ['h264', 'vp9', 'av1', 'vp8'] as const) {
    test(`of ${codec} is a file that can be downloaded, every frame of which can be decoded`, async ({
      server,
      tokens,
      apiSecret,
      streamName,
      context,
    }) => {
      const { origin } = server;
      const streams = new RecordedStreams(origin, apiSecret);
      const recording = async () => (await streams.of(streamName))[0];

      const token = await tokens.publish(streamName, { record: true });
      const publisher = await context.newPage();
      await broadcastHeadless(publisher, { origin, streamName, token }, { codec });
      await mediaFlows({ origin, streamName });
      await expect.poll(async () => (await recording())?.durationSeconds ?? 0).toBeGreaterThan(5);
      await publisher.close();
      await streams.stop(streamName);
      await expect.poll(async () => (await recording())?.state, { timeout: 100_000 }).toBe('ready');

      const ready = (await recording())!;
      expect(ready).toMatchObject({ videoCodec: codec, container: codec === 'vp8' ? 'webm' : 'mp4', fault: null });
      const { errors, video, audio } = await streams.decoded(ready);
      expect(errors).toBe('');
      expect(Math.min(video.length, audio.length)).toBeGreaterThan(60);
    });
  }

  for (const codec of ['h264', 'vp8'] as const) {
    test(`of ${codec} is recorded on command over HTTP, gives a clip, and stays live when that ends`, async ({
      server,
      tokens,
      apiSecret,
      streamName,
      context,
    }) => {
      const { origin } = server;
      const streams = new RecordedStreams(origin, apiSecret);
      const one = async (kind: Recorded['kind']) => (await streams.of(streamName)).find((each) => each.kind === kind);
      const token = await tokens.publish(streamName);
      await broadcastHeadless(await context.newPage(), { origin, streamName, token }, { codec });
      await mediaFlows({ origin, streamName });
      expect(await streams.of(streamName)).toEqual([]);

      await streams.record(streamName, true);
      await expect.poll(async () => (await one('broadcast'))?.durationSeconds ?? 0).toBeGreaterThan(5);
      await streams.clip(streamName, 4);
      await expect.poll(async () => (await one('clip'))?.state).toBe('ready');
      await streams.record(streamName, false);
      await expect.poll(async () => (await one('broadcast'))?.state).toBe('ready');
      await mediaFlows({ origin, streamName });

      const [broadcast, clip] = [(await one('broadcast'))!, (await one('clip'))!];
      for (const recording of [broadcast, clip]) {
        expect(recording.container).toBe(codec === 'vp8' ? 'webm' : 'mp4');
        expect((await streams.decoded(recording)).errors).toBe('');
      }
      // It is cut at keyframes, which come every two seconds.
      expect(clip.durationSeconds).toBeGreaterThan(3);
      expect(clip.durationSeconds).toBeLessThan(broadcast.durationSeconds);
    });
  }

  test('can be seen from the beginning while it is live', async ({ server, tokens, streamName, context, page }) => {
    const { origin } = server;
    const token = await tokens.publish(streamName, { record: true });
    await broadcastHeadless(await context.newPage(), { origin, streamName, token }, { codec: 'h264' });
    await mediaFlows({ origin, streamName });
    await page.goto(`${origin}/viewer?streamId=main/${streamName}&dvr&muted`);
    await expectMovingPicture(page);
    const slider = page.getByRole('slider', { name: 'Timeline' });
    await expect.poll(async () => Number(await slider.getAttribute('max'))).toBeGreaterThan(8);
    await slider.evaluate((input: HTMLInputElement) => {
      input.value = '0';
      input.dispatchEvent(new Event('change'));
    });
    const recordingTime = () =>
      page.locator('stream-viewer').evaluate((viewer) => {
        const video = viewer.shadowRoot!.querySelector<HTMLVideoElement>('.recording:not([data-hidden])');
        return video ? video.currentTime : -1;
      });
    await expect.poll(recordingTime).toBeGreaterThan(1);
    expect(await recordingTime()).toBeLessThan(8);
  });
});

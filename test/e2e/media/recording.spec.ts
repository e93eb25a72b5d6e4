import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeFile } from '../../support/recording/decode-file.ts';
import { expectMovingPicture, mediaFlows } from '../support/pages.ts';
import { broadcastHeadless } from '../support/tagless.ts';
import { expect, test } from '../support/test.ts';

test.describe('a recorded broadcast', () => {
  for (const codec of ['h264', 'vp9', 'vp8'] as const) {
    test(`of ${codec} is a file that can be downloaded, every frame of which can be decoded`, async ({
      server,
      tokens,
      apiSecret,
      streamName,
      context,
    }) => {
      const { origin } = server;
      const api = async (method: string, path: string, body?: object) => {
        const headers = { authorization: `Bearer ${apiSecret}`, 'content-type': 'application/json' };
        const response = await fetch(`${origin}${path}`, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        });
        return (await response.json()).data;
      };
      const recording = async () => (await api('GET', `/api/recordings?streamName=${streamName}`))[0];

      const token = await tokens.publish(streamName, { record: true });
      const publisher = await context.newPage();
      await broadcastHeadless(publisher, { origin, streamName, token }, { codec });
      await mediaFlows(origin, streamName);
      await expect.poll(async () => (await recording())?.durationSeconds ?? 0).toBeGreaterThan(5);
      await publisher.close();
      // A publisher may come back; nobody waits for that after the stream was stopped.
      await api('POST', '/api/stream/stop', { streamId: `main/${streamName}` });
      await api('POST', `/api/streams/${streamName}/record`, { record: false }).catch(() => undefined);
      await expect.poll(async () => (await recording()).state, { timeout: 100_000 }).toBe('ready');

      const ready = await recording();
      expect(ready).toMatchObject({ videoCodec: codec, container: codec === 'vp8' ? 'webm' : 'mp4', fault: null });
      const { path } = await api('POST', `/api/recordings/${ready.id}/link`, {});
      const bytes = Buffer.from(await (await fetch(`${origin}${path}`)).arrayBuffer());
      expect(bytes.length).toBe(ready.bytes);
      const folder = await mkdtemp(join(tmpdir(), 'streamgate-recording-'));
      try {
        const file = join(folder, 'recording');
        await writeFile(file, bytes);
        const { errors, video, audio } = await decodeFile(file);
        expect(errors).toBe('');
        expect(Math.min(video.length, audio.length)).toBeGreaterThan(60);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  test('can be seen from the beginning while it is live', async ({ server, tokens, streamName, context, page }) => {
    const { origin } = server;
    const token = await tokens.publish(streamName, { record: true });
    await broadcastHeadless(await context.newPage(), { origin, streamName, token }, { codec: 'h264' });
    await mediaFlows(origin, streamName);
    await page.goto(`${origin}/viewer?streamId=main/${streamName}&dvr&muted`);
    await expectMovingPicture(page);
    const slider = page.getByRole('slider', { name: 'Timeline' });
    await expect.poll(async () => Number(await slider.getAttribute('max')), { timeout: 40_000 }).toBeGreaterThan(8);
    await slider.evaluate((input: HTMLInputElement) => {
      input.value = '0';
      input.dispatchEvent(new Event('change'));
    });
    const recordingTime = () =>
      page.locator('stream-viewer').evaluate((viewer) => {
        const video = viewer.shadowRoot!.querySelector<HTMLVideoElement>('.recording:not([data-hidden])');
        return video ? video.currentTime : -1;
      });
    await expect.poll(recordingTime, { timeout: 20_000 }).toBeGreaterThan(1);
    expect(await recordingTime()).toBeLessThan(8);
  });
});

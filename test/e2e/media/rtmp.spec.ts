import type { Page } from '@playwright/test';
import { ffmpegProgram, LIVE_H264, LIVE_INPUT, runFfmpeg, words } from '../../support/run-encoder.ts';
import { expectMovingPicture, expectSound, mediaFlows } from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';

interface Fixtures {
  /** Pushes the stream over RTMP with ffmpeg, until the end of the test. */
  encoder: (video?: readonly string[], options?: { readonly record: boolean }) => Promise<void>;
  /** The stream as the API describes it. */
  live: () => Promise<LiveStream>;
}

interface LiveStream {
  readonly liveSince: string;
  readonly sources: readonly {
    readonly reception: { readonly videoCodec: string; readonly audioCodec: string } | null;
    readonly encodings: readonly { readonly width: number; readonly height: number }[];
    readonly notices: readonly string[];
  }[];
}

const AAC = words('-c:a aac -b:a 96k -ac 2');
/** A keyframe in twenty seconds. */
const FEW_KEYFRAMES = [...LIVE_H264, ...words('-g 600')];

/** As an encoder that was not set up for live video: two B-frames, and a keyframe in twenty seconds. */
const B_FRAMES = words('-c:v libx264 -preset veryfast -bf 2 -pix_fmt yuv420p -g 600');

const test = base.extend<Fixtures>({
  environment: [
    async ({}, use) => use({ RTMP_PORT: '0', FFMPEG_PATH: await ffmpegProgram(), RTMP_TRANSCODE: 'x264' }),
    { scope: 'worker' },
  ],
  encoder: async ({ server, tokens, streamName }, use) => {
    const stop = new AbortController();
    const pushes: Promise<unknown>[] = [];
    await use(async (video = LIVE_H264, options = { record: false }) => {
      const port = Number(/"port":(\d+)[^\n]*encoders can connect/.exec(server.output())?.[1]);
      const url = `rtmp://127.0.0.1:${port}/v2/pub/${streamName}?token=${await tokens.publish(streamName, options)}`;
      pushes.push(runFfmpeg([...LIVE_INPUT, ...video, ...AAC, '-f', 'flv', url], stop.signal));
      await mediaFlows(server.origin, streamName);
    });
    stop.abort();
    await Promise.all(pushes);
  },
  live: async ({ server, apiSecret, streamName }, use) =>
    use(async () => {
      const response = await fetch(`${server.origin}/api/live`, { headers: { authorization: `Bearer ${apiSecret}` } });
      const { data } = await response.json();
      return data.find((stream: { streamName: string }) => stream.streamName === streamName);
    }),
});

test.describe('an encoder over RTMP', () => {
  test('is seen and heard in browsers, and in Live with its codecs', async ({ encoder, watching, live }) => {
    await encoder();
    const viewer = await watching();
    await expectMovingPicture(viewer);
    await expectSound(viewer);
    const shown = async () => {
      const [source] = (await live()).sources;
      const { width, height } = source?.encodings[0] ?? {};
      return [source?.reception?.videoCodec, source?.reception?.audioCodec, width, height];
    };
    await expect.poll(shown).toEqual(['h264', 'opus', 320, 180]);
  });

  test('shows viewers who join between two keyframes the last one, and lets them catch up', async ({
    encoder,
    watching,
    live,
  }) => {
    await encoder(FEW_KEYFRAMES);
    const liveSince = Date.parse((await live()).liveSince);
    await expect.poll(() => Date.now() - liveSince).toBeGreaterThan(5_000);
    const viewer = await watching();
    // The encoder sends thirty.
    await expect.poll(() => framesPerSecond(viewer)).toBeGreaterThan(50);
    await expect.poll(() => framesPerSecond(viewer)).toBeLessThan(35);
    await expectMovingPicture(viewer);
  });

  test('is recorded: viewers go back in it, and afterwards it is a file', async ({
    encoder,
    server,
    apiSecret,
    streamName,
    page,
  }) => {
    const api = async (path: string, init?: RequestInit) => {
      const headers = { authorization: `Bearer ${apiSecret}`, 'content-type': 'application/json' };
      return (await (await fetch(`${server.origin}${path}`, { headers, ...init })).json()).data;
    };
    await encoder(LIVE_H264, { record: true });
    await page.goto(`${server.origin}/viewer?streamId=main/${streamName}&dvr&muted`);
    await expectMovingPicture(page);
    const slider = page.getByRole('slider', { name: 'Timeline' });
    await expect.poll(async () => Number(await slider.getAttribute('max')), { timeout: 40_000 }).toBeGreaterThan(8);
    await slider.evaluate((input: HTMLInputElement) => {
      input.value = '0';
      input.dispatchEvent(new Event('change'));
    });
    const time = () =>
      page.locator('stream-viewer').evaluate((viewer) => {
        const video = viewer.shadowRoot!.querySelector<HTMLVideoElement>('.recording:not([data-hidden])');
        return video ? video.currentTime : -1;
      });
    await expect.poll(time).toBeGreaterThan(1);
    await api(`/api/streams/${streamName}/record`, { method: 'POST', body: '{"record":false}' });
    const recording = async () => (await api(`/api/recordings?streamName=${streamName}`))[0];
    await expect.poll(async () => (await recording()).state, { timeout: 30_000 }).toBe('ready');
    expect(await recording()).toMatchObject({ videoCodec: 'h264', container: 'mp4', fault: null });
  });

  test('is seen and heard with B-frames where the operator allows it, and Live says what it costs', async ({
    encoder,
    watching,
    live,
    server,
    page,
    streamName,
  }) => {
    await encoder(B_FRAMES);
    const viewer = await watching();
    await expectMovingPicture(viewer);
    await expectSound(viewer);
    expect((await live()).sources[0]?.notices).toEqual(['picture_transcoded']);

    await page.goto(server.dashboardLink);
    await page.getByRole('link', { name: 'Live', exact: true }).click();
    const stream = page.getByRole('region', { name: streamName, exact: true });
    await expect(stream.getByText('Set B-frames to 0 in the encoder')).toBeVisible();
  });
});

function framesPerSecond(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const stats = await document.querySelector('stream-viewer')!.getStats();
    const reports = [...(stats?.values() ?? [])] as { kind?: string; framesPerSecond?: number }[];
    return (
      reports.find(({ kind, framesPerSecond }) => kind === 'video' && framesPerSecond !== undefined)?.framesPerSecond ??
      0
    );
  });
}

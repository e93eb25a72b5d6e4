import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { asEnhanced, ENHANCED_CONNECT, pushFlv, type FlvPush } from '../../support/flv-push.ts';
import { ffmpegProgram, LIVE_H264, LIVE_INPUT, runFfmpeg, words } from '../../support/run-encoder.ts';
import {
  expectMovingPicture,
  expectSound,
  frameSize,
  mediaFlows,
  openViewer,
  phaseOf,
  spectrumOf,
} from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';

interface TokenOptions {
  readonly record: boolean;
}

interface Fixtures {
  /** Where an encoder connects, with a new token. */
  url: (options?: TokenOptions) => Promise<string>;
  /** Pushes over RTMP with ffmpeg, until the end of the test. Resolves when the stream is live. */
  push: (input: readonly string[], encoding: readonly string[], options?: TokenOptions) => Promise<Push>;
  /** Pushes a file as it is, again and again, until the end of the test or of the stream. */
  pushFile: (file: string, changed?: FlvPush['changed']) => Promise<string | undefined>;
  /** Pushes a test picture and a tone, until the end of the test. */
  encoder: (video?: readonly string[], options?: TokenOptions) => Promise<void>;
  /** The stream as the API describes it. */
  live: () => Promise<LiveStream>;
}

/** What Debian's encoders cannot make; see its README. */
const FLV = join(import.meta.dirname, '../../support/flv');

interface Push {
  /** Kills ffmpeg: its connection breaks. */
  vanish(): Promise<void>;
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
  url: async ({ server, tokens, streamName }, use) =>
    use(async (options) => {
      const port = Number(/"port":(\d+)[^\n]*encoders can connect/.exec(server.output())?.[1]);
      return `rtmp://127.0.0.1:${port}/v2/pub/${streamName}?token=${await tokens.publish(streamName, options)}`;
    }),
  push: async ({ server, url, streamName }, use) => {
    const end = new AbortController();
    const pushes: Promise<unknown>[] = [];
    await use(async (input, encoding, options = { record: false }) => {
      const killed = new AbortController();
      const signal = AbortSignal.any([end.signal, killed.signal]);
      const pushing = runFfmpeg([...input, ...encoding, '-f', 'flv', await url(options)], signal);
      pushes.push(pushing);
      await mediaFlows({ origin: server.origin, streamName });
      return {
        async vanish() {
          killed.abort();
          await pushing;
        },
      };
    });
    end.abort();
    await Promise.all(pushes);
  },
  pushFile: async ({ url }, use) => {
    const end = new AbortController();
    const pushes: Promise<unknown>[] = [];
    await use(async (file, changed) => {
      const flv = await readFile(join(FLV, file));
      const push = { url: await url(), flv, signal: end.signal, connect: ENHANCED_CONNECT, changed };
      const pushing = pushFlv(push);
      pushes.push(pushing);
      return pushing;
    });
    end.abort();
    await Promise.all(pushes);
  },
  encoder: async ({ push }, use) =>
    use(async (video = LIVE_H264, options) => {
      await push(LIVE_INPUT, [...video, ...AAC], options);
    }),
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
    await expect.poll(async () => Number(await slider.getAttribute('max'))).toBeGreaterThan(8);
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
    await expect.poll(async () => (await recording()).state).toBe('ready');
    expect(await recording()).toMatchObject({ videoCodec: 'h264', container: 'mp4', fault: null });
  });

  test('is heard without a picture', async ({ push, server, streamName, page }) => {
    await push(words('-re -f lavfi -i sine=sample_rate=48000'), AAC);
    await openViewer(page, { origin: server.origin, streamName });
    await expect.poll(() => phaseOf(page, 'stream-viewer')).toBe('live');
    await expectSound(page);
  });

  test('is seen without sound', async ({ push, watching }) => {
    await push(LIVE_INPUT, [...LIVE_H264, '-an']);
    await expectMovingPicture(await watching());
  });

  for (const [codec, file, changed] of [
    ['av1', 'av1-opus.flv'],
    ['vp9', 'vp9-opus.flv'],
    ['h264', 'h264-opus.flv', asEnhanced],
  ] satisfies [codec: string, file: string, changed?: FlvPush['changed']][]) {
    test(`is seen and heard with ${codec} and Opus by Enhanced RTMP`, async ({
      pushFile,
      server,
      streamName,
      watching,
      live,
    }) => {
      void pushFile(file, changed);
      await mediaFlows({ origin: server.origin, streamName });
      const viewer = await watching();
      expect(await frameSize(viewer, 'stream-viewer')).toEqual({ width: 320, height: 180 });
      await expectSound(viewer);
      await expect
        .poll(async () => (await live()).sources[0]?.reception)
        .toMatchObject({ videoCodec: codec, audioCodec: 'opus' });
    });
  }

  test('is told that HEVC is not supported', async ({ pushFile }) => {
    expect(await pushFile('hevc-opus.flv')).toBe(
      'HEVC (H.265) is not supported. Set the video encoder to H.264, AV1 or VP9',
    );
  });

  for (const file of ['he-aac', 'he-aac-v2']) {
    for (const signal of ['explicit', 'implicit']) {
      test(`is heard with its pitch and its highs: ${file}, ${signal}`, async ({ push, watching }, testInfo) => {
        const explicit = join(FLV, `${file}.flv`);
        // The header of ADTS has no place for SBR.
        const implicit = testInfo.outputPath('sound.aac');
        // Long enough for the test: ffmpeg cannot repeat a file without timestamps.
        await runFfmpeg([...words('-stream_loop 60 -i'), explicit, ...words('-c copy'), implicit]);
        const input = ['-re', '-stream_loop', '-1', '-i', signal === 'explicit' ? explicit : implicit];
        const filter = signal === 'implicit' ? words('-bsf:a aac_adtstoasc') : [];
        await push(
          [...LIVE_INPUT.slice(0, 5), ...input],
          [...LIVE_H264, ...words('-map 0:v -map 1:a -c:a copy'), ...filter],
        );
        const viewer = await watching();
        // Of a moment: on a busy machine the browser has no sound for some.
        await expect.poll(async () => Math.abs((await spectrumOf(viewer)).loudest - 440)).toBeLessThan(3);
        await expect.poll(async () => (await spectrumOf(viewer)).highs).toBeGreaterThan(-96);
      });
    }
  }

  test('is seen by the same viewers in each size that it changes to', async ({ push, watching }, testInfo) => {
    const files: string[] = [];
    for (const size of ['320x180', '640x360']) {
      const file = testInfo.outputPath(`${size}.ts`);
      await runFfmpeg([...words(`-f lavfi -i testsrc2=size=${size}:rate=30 -t 4`), ...LIVE_H264, file]);
      files.push(`file '${file}'\n`);
    }
    const list = testInfo.outputPath('sizes.txt');
    await writeFile(list, files.join(''));
    // Four seconds of each, again and again.
    await push([...words('-re -stream_loop -1 -f concat -safe 0 -i'), list], words('-c copy'));
    const viewer = await watching();
    const shown = () => frameSize(viewer, 'stream-viewer');
    for (const width of [320, 640, 320]) {
      await expect.poll(shown).toEqual({ width, height: (width * 9) / 16 });
      await expectMovingPicture(viewer);
    }
  });

  test('is seen and heard after its timestamps jumped by 100 s', async ({ push, watching, live }) => {
    // In ms, for FLV.
    const jump = (frame: number) => `setts=ts=if(gt(N\\,${frame})\\,TS+100000\\,TS)`;
    // After four seconds: frames of the picture, and of 1024 samples.
    const encoding = [...LIVE_H264, '-bsf:v', jump(4 * 30), ...AAC, '-bsf:a', jump((4 * 48_000) / 1_024)];
    await push(LIVE_INPUT, encoding);
    const liveSince = Date.parse((await live()).liveSince);
    const viewer = await watching();
    await expectMovingPicture(viewer);
    await expect.poll(() => Date.now() - liveSince).toBeGreaterThan(6_000);
    await expectMovingPicture(viewer);
    await expectSound(viewer);
  });

  test('is seen again by the same viewers when it vanished and came back', async ({ push, watching }) => {
    const first = await push(LIVE_INPUT, [...LIVE_H264, ...AAC]);
    const viewer = await watching();
    await expectMovingPicture(viewer);
    await first.vanish();
    await expect.poll(() => phaseOf(viewer, 'stream-viewer')).toBe('waiting');
    await push(words('-re -f lavfi -i testsrc2=size=640x360:rate=30'), LIVE_H264);
    await expect.poll(() => frameSize(viewer, 'stream-viewer')).toEqual({ width: 640, height: 360 });
    await expectMovingPicture(viewer);
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

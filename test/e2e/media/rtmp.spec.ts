import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asEnhanced, ENHANCED_CONNECT, keepPushing, type FlvPush } from '../../support/flv-push.ts';
import { ffmpegOutput, ffmpegProgram, LIVE_H264, runFfmpeg, words } from '../../support/run-encoder.ts';
import { expectMovingPicture, expectSound, frameSize, mediaFlows } from '../support/pages.ts';
import { expect, test as base } from '../support/test.ts';

/** A stream of an encoder that repeats a file. */
interface Encoder {
  readonly flv: Promise<Buffer>;
  readonly changed?: FlvPush['changed'];
  /** Of the picture. Undefined: there is none. */
  readonly size: string | undefined;
  readonly hasSound: boolean;
}

interface Fixtures {
  /** Repeats a file until the end of the test, or until `vanish`. Resolves when the stream is live. */
  push: (name: string, encoder: Encoder) => Promise<{ vanish(): void }>;
  /** A website with a player of the stream. */
  watch: (name: string) => Promise<void>;
  /** The stream as the API describes it. */
  live: (name: string) => Promise<LiveStream>;
}

interface LiveStream {
  readonly sources: readonly {
    readonly reception: { readonly videoCodec: string; readonly audioCodec: string } | null;
    readonly notices: readonly string[];
  }[];
}

const picture = (size: string, encoding: readonly string[] = LIVE_H264, seconds = 2): readonly string[] => [
  ...words(`-f lavfi -i testsrc2=size=${size}:rate=15:duration=${seconds}`),
  ...words('-f lavfi -i sine=frequency=440:sample_rate=48000:duration=2'),
  ...encoding,
];
const AAC = words('-c:a aac -b:a 96k -ac 2 -f flv pipe:1');
const PICTURE_ALONE = words('-map 0:v -f flv pipe:1');
const madeOf = (...args: readonly (readonly string[])[]): Promise<Buffer> => ffmpegOutput(args.flat());
/** What Debian's encoders cannot make; see its README. */
const prepared = (name: string): Promise<Buffer> => readFile(join(import.meta.dirname, '../../support/flv', name));

/** As an encoder that was not set up for live video: two B-frames. */
const B_FRAMES = words('-c:v libx264 -preset veryfast -bf 2 -pix_fmt yuv420p -g 30');
/** A keyframe in two minutes. */
const ONE_KEYFRAME = [...words('-c:v libx264 -preset ultrafast -tune zerolatency -pix_fmt yuv420p -g 10000')];
/** One second of each size. */
async function sizesIn(folder: string, sizes: readonly string[]): Promise<Buffer> {
  const list = join(folder, 'sizes.txt');
  const files = sizes.map((size) => join(folder, `${size}.ts`));
  await mkdir(folder, { recursive: true });
  for (const [index, size] of sizes.entries()) {
    const input = words(`-f lavfi -i testsrc2=size=${size}:rate=15:duration=1`);
    await runFfmpeg([...input, ...LIVE_H264, files[index]!]);
  }
  await writeFile(list, files.map((file) => `file '${file}'\n`).join(''));
  return ffmpegOutput(['-f', 'concat', '-safe', '0', '-i', list, ...words('-c copy -f flv pipe:1')]);
}

const test = base.extend<Fixtures>({
  environment: [
    async ({}, use) => use({ RTMP_PORT: '0', FFMPEG_PATH: await ffmpegProgram(), RTMP_TRANSCODE: 'x264' }),
    { scope: 'worker' },
  ],
  push: async ({ server, tokens }, use) => {
    const end = new AbortController();
    const pushes: Promise<unknown>[] = [];
    const port = Number(/"port":(\d+)[^\n]*encoders can connect/.exec(server.output())?.[1]);
    await use(async (name, { flv, changed }) => {
      const own = new AbortController();
      const signal = AbortSignal.any([end.signal, own.signal]);
      const url = `rtmp://127.0.0.1:${port}/v2/pub/${name}?token=${await tokens.publish(name)}`;
      pushes.push(keepPushing({ url, flv: await flv, signal, connect: ENHANCED_CONNECT, changed }));
      await mediaFlows({ origin: server.origin, streamName: name });
      return { vanish: () => own.abort() };
    });
    end.abort();
    await Promise.all(pushes);
  },
  watch: async ({ server: { origin }, otherSite, page }, use) =>
    use(async (name) => {
      const style = '<style>stream-viewer { display: block; width: 160px; height: 90px; }</style>';
      const tag = `<stream-viewer autoplay muted endpoint="${origin}" account-id="main" stream-name="${name}"></stream-viewer>`;
      await page.goto(
        otherSite.put('/', `${style}<script src="${origin}/streamgate.js" type="module"></script>${tag}`),
      );
    }),
  live: async ({ server: { origin }, apiSecret }, use) =>
    use(async (name) => {
      const response = await fetch(`${origin}/api/live`, { headers: { authorization: `Bearer ${apiSecret}` } });
      const { data } = await response.json();
      return data.find(({ streamName }: { streamName: string }) => streamName === name);
    }),
});

test('encoders over RTMP are seen and heard in a browser, whatever they send', async ({
  push,
  watch,
  live,
  page,
  server,
}) => {
  let keyframes = 0;
  const encoders: Readonly<Record<string, Encoder>> = {
    // Who joins sees the last keyframe, though no other one comes.
    'one-keyframe': {
      flv: madeOf(picture('160x90', ONE_KEYFRAME, 120), PICTURE_ALONE),
      changed(message) {
        keyframes += Number(message.kind === 'video' && message.payload[0] === 0x17 && message.payload[1] === 1);
        return [message];
      },
      size: '160x90',
      hasSound: false,
    },
    usual: { flv: madeOf(picture('160x90'), AAC), size: '160x90', hasSound: true },
    'he-aac': { flv: prepared('he-aac.flv'), size: undefined, hasSound: true },
    av1: { flv: prepared('av1-opus.flv'), size: '320x180', hasSound: true },
    vp9: { flv: prepared('vp9-opus.flv'), size: '320x180', hasSound: true },
    enhanced: { flv: prepared('h264-opus.flv'), changed: asEnhanced, size: '320x180', hasSound: true },
    'jumps-by-100-s': {
      flv: prepared('h264-opus.flv'),
      changed: (message) => [{ ...message, timestamp: message.timestamp + (message.timestamp < 1_000 ? 0 : 100_000) }],
      size: '320x180',
      hasSound: true,
    },
    'b-frames': { flv: madeOf(picture('160x90', B_FRAMES), PICTURE_ALONE), size: '160x90', hasSound: false },
  };
  const names = Object.keys(encoders);
  // Before anything is live, because encoding keeps the processors busy.
  await Promise.all(Object.values(encoders).map(({ flv }) => flv));
  await Promise.all(names.map((name) => push(name, encoders[name]!)));
  // One after the other: a browser that is too slow for all of them at once gets sound alone.
  for (const name of names) {
    const { size, hasSound } = encoders[name]!;
    // Whoever is refused by a busy server comes again.
    await expect(async () => {
      await watch(name);
      const hasMedia = () =>
        page
          .locator('stream-viewer')
          .evaluate((viewer) => Boolean(viewer.shadowRoot?.querySelector('video')?.srcObject));
      await expect.poll(hasMedia, { timeout: 15_000 }).toBe(true);
    }).toPass();
    if (size) {
      await expectMovingPicture(page);
      const shown = await frameSize(page, 'stream-viewer');
      expect(`${shown?.width}x${shown?.height}`, name).toBe(size);
    }
    if (hasSound) await expectSound(page);
    if (name === 'one-keyframe') expect(keyframes).toBe(1);
  }

  const codecs = async (name: string) => {
    const { videoCodec, audioCodec } = (await live(name)).sources[0]?.reception ?? {};
    return [videoCodec, audioCodec];
  };
  for (const [name, codec] of [
    ['usual', 'h264'],
    ['av1', 'av1'],
    ['vp9', 'vp9'],
    ['enhanced', 'h264'],
  ] as const) {
    await expect.poll(() => codecs(name)).toEqual([codec, 'opus']);
  }
  expect((await live('b-frames')).sources[0]?.notices).toEqual(['picture_transcoded']);
  await page.goto(server.dashboardLink);
  await page.getByRole('link', { name: 'Live', exact: true }).click();
  const stream = page.getByRole('region', { name: 'b-frames', exact: true });
  await expect(stream.getByText('Set B-frames to 0 in the encoder')).toBeVisible();
});

test('an encoder over RTMP is seen by the same viewers in each size that it changes to, and when it is back', async ({
  push,
  watch,
  live,
  page,
}, info) => {
  const name = 'sizes';
  const shown = async () => (await frameSize(page, 'stream-viewer'))?.width;
  const flv = sizesIn(info.outputPath('sizes'), ['160x90', '320x180']);
  const first = await push(name, { flv, size: undefined, hasSound: false });
  await watch(name);
  for (const width of [160, 320, 160]) {
    await expect.poll(shown, { intervals: [50] }).toBe(width);
  }
  first.vanish();
  await expect.poll(() => live(name)).toBeUndefined();
  await push(name, { flv: madeOf(picture('640x360'), AAC), size: '640x360', hasSound: true });
  await expect.poll(shown).toBe(640);
  await expectMovingPicture(page);
});

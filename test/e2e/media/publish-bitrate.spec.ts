import { mediaFlows } from '../support/pages.ts';
import { broadcastHeadless } from '../support/tagless.ts';
import { expect, test as base } from '../support/test.ts';
import { ffmpegProgram, LIVE_INPUT, runFfmpeg, words } from '../../support/run-encoder.ts';

interface LiveStream {
  readonly streamName: string;
  readonly sources: readonly { readonly videoBitrate: number; readonly notices: readonly string[] }[];
}

interface Fixtures {
  /** As an operator does: in kbit/s, or `off`. The server knows it within five seconds. */
  limit: (kbps: string) => Promise<unknown>;
  /** The bitrate of the video and the notices, as the API has them. */
  source: () => Promise<LiveStream['sources'][number] | undefined>;
}

const test = base.extend<Fixtures>({
  environment: [async ({}, use) => use({ RTMP_PORT: '0', FFMPEG_PATH: await ffmpegProgram() }), { scope: 'worker' }],
  limit: async ({ server }, use) => {
    const set = (kbps: string) => server.cli('account', 'limits', '--account', 'main', '--max-publish-kbps', kbps);
    await use(set);
    await set('off');
  },
  source: async ({ server, apiSecret, streamName }, use) =>
    use(async () => {
      const response = await fetch(`${server.origin}/api/live`, { headers: { authorization: `Bearer ${apiSecret}` } });
      const { data } = (await response.json()) as { data: LiveStream[] };
      return data.find((stream) => stream.streamName === streamName)?.sources[0];
    }),
});

const LIMIT_KBPS = 200;
/** The picture of Chromium's camera takes more than this. */
const MORE = 1.4 * LIMIT_KBPS * 1_000;

for (const simulcast of [false, true]) {
  test(`a browser that is live keeps to a new limit${simulcast ? ' with all its encodings' : ''}, and sends more when it ends`, async ({
    address,
    context,
    limit,
    source,
  }) => {
    const page = await context.newPage();
    await broadcastHeadless(page, address, { simulcast });
    await mediaFlows(address);
    const bitrate = async () => (await source())?.videoBitrate ?? 0;
    await expect.poll(bitrate).toBeGreaterThan(MORE);
    await limit(String(LIMIT_KBPS));
    await expect.poll(bitrate).toBeLessThan(LIMIT_KBPS * 1_000);
    await expect.poll(async () => (await source())?.notices).toEqual([]);
    await limit('off');
    await expect.poll(bitrate).toBeGreaterThan(MORE);
  });
}

test('an encoder of a fixed bitrate is warned, and then told what to set', async ({
  server,
  tokens,
  streamName,
  limit,
  source,
}) => {
  await limit(String(LIMIT_KBPS));
  const port = Number(/"port":(\d+)[^\n]*encoders can connect/.exec(server.output())?.[1]);
  const url = `rtmp://127.0.0.1:${port}/v2/pub/${streamName}?token=${await tokens.publish(streamName)}`;
  const video = '-c:v libx264 -preset ultrafast -tune zerolatency -pix_fmt yuv420p -g 30 -x264-params nal-hrd=cbr';
  const rate = '-b:v 1000k -minrate 1000k -maxrate 1000k -bufsize 1000k';
  const encoding = [...words(video), ...words(rate), ...words('-c:a aac -b:a 96k -f flv')];
  const pushing = runFfmpeg([...LIVE_INPUT, ...encoding, url]);
  await expect.poll(async () => (await source())?.notices).toEqual(['bitrate_above_limit']);
  const { output } = await pushing;
  const [, sent] =
    /Server error: The encoder sends (\d+) kbit\/s, and the account may send 200\. Set the/.exec(output) ?? [];
  expect(Number(sent), output).toBeGreaterThan(1.25 * LIMIT_KBPS);
  expect(output).toContain('constant (OBS: Output, Rate Control CBR; ffmpeg: -b:v 180k -maxrate 180k -bufsize 180k)');
  await expect.poll(() => server.output()).toContain('a publisher sends more than its account may');
});

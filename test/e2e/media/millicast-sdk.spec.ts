import { serveSdkPage } from '../../support/sdk-page.ts';
import { expectMovingPicture, frameSize, mediaFlows } from '../support/pages.ts';
import { RecordedStreams } from '../support/recorded-streams.ts';
import { installSdkApp, SdkApp, type PublishOptions } from '../support/sdk-app.ts';
import { expect, test as base } from '../support/test.ts';

interface Fixtures {
  /** Opens another page of a site that uses the SDK. */
  openApp: () => Promise<SdkApp>;
  /** Publishes the stream from such a page. Resolves when media flows. */
  publishing: (options?: Pick<PublishOptions, 'size' | 'options'>) => Promise<SdkApp>;
}

const test = base.extend<Fixtures, { sdkPage: string }>({
  sdkPage: [
    async ({}, use) => {
      const { url, stop } = await serveSdkPage(`(${installSdkApp})()`);
      await use(url);
      stop();
    },
    { scope: 'worker' },
  ],
  openApp: async ({ sdkPage, context }, use) =>
    use(async () => {
      const page = await context.newPage();
      await page.goto(sdkPage);
      return new SdkApp(page);
    }),
  publishing: async ({ server: { origin }, tokens, streamName, openApp }, use) =>
    use(async (options) => {
      const app = await openApp();
      await app.publish({ origin, streamName, token: await tokens.publish(streamName), ...options });
      await mediaFlows({ origin, streamName });
      return app;
    }),
});

test.describe('the unmodified @millicast/sdk', () => {
  for (const codec of ['h264', 'vp8', 'vp9', 'av1']) {
    test(`publishes ${codec}, and both its own viewer and ours see it`, async ({
      server: { origin },
      streamName,
      openApp,
      publishing,
      watching,
    }) => {
      await publishing({ options: { codec } });
      const sdkViewer = await openApp();
      await sdkViewer.view({ origin, streamName });
      await expectMovingPicture(sdkViewer.page, 'sdk-viewer');

      await watching();
    });
  }

  for (const codec of ['h264', 'vp8']) {
    test(`publishes ${codec} in three layers, and its viewer sees the one it selects`, async ({
      server: { origin },
      streamName,
      openApp,
      publishing,
    }) => {
      const size = { width: 1280, height: 720 };
      const publisher = await publishing({ size, options: { codec, simulcast: true } });
      await publisher.scaleLayers();
      const viewer = await openApp();
      await viewer.view({ origin, streamName });
      const layers = async (): Promise<{ encodingId: string; width: number }[]> =>
        (await viewer.eventData('layers')).at(-1)?.medias['0'].layers ?? [];
      const sizes = async () => (await layers()).map(({ encodingId, width }) => [encodingId, width]).sort();
      await expect.poll(sizes, { message: 'three layers' }).toEqual([
        ['0', 320],
        ['1', 640],
        ['2', 1280],
      ]);
      for (const [encodingId, width] of [
        ['0', 320],
        ['2', 1280],
        ['1', 640],
      ] as const) {
        const layer = (await layers()).find((candidate) => candidate.encodingId === encodingId);
        await viewer.select(layer);
        await expect
          .poll(() => frameSize(viewer.page, 'sdk-viewer'), { message: `layer ${encodingId}` })
          .toEqual({ width, height: (width * 9) / 16 });
      }
      await viewer.select();
      await expectMovingPicture(viewer.page, 'sdk-viewer');
    });
  }

  test('publishes several sources, and its viewer shows them side by side or switches between them', async ({
    server: { origin },
    streamName,
    openApp,
    publishing,
  }) => {
    const [wide, narrow] = [
      { width: 640, height: 360 },
      { width: 320, height: 240 },
    ];
    await publishing({ size: wide, options: { codec: 'h264', sourceId: 'CAM1' } });
    const viewer = await openApp();
    await viewer.view({ origin, streamName });
    const shows = (tag: string) => expect.poll(() => frameSize(viewer.page, tag), { message: `size in ${tag}` });
    await shows('sdk-viewer').toEqual(wide);

    const second = await publishing({ size: narrow, options: { codec: 'h264', sourceId: 'CAM2' } });
    const sources = async () => (await viewer.eventData('active')).map(({ sourceId }) => sourceId);
    await expect.poll(sources).toEqual(['CAM1', 'CAM2']);

    const mid = await viewer.showBeside('CAM2');
    await shows('sdk-second').toEqual(narrow);
    await expectMovingPicture(viewer.page, 'sdk-second');
    await shows('sdk-viewer').toEqual(wide);

    await viewer.project('CAM2', [{ trackId: '0', media: 'video', mediaId: '0' }]);
    await shows('sdk-viewer').toEqual(narrow);
    await viewer.project('CAM1', [{ trackId: '0', media: 'video', mediaId: '0' }]);
    await shows('sdk-viewer').toEqual(wide);
    await expectMovingPicture(viewer.page, 'sdk-viewer');
    await viewer.unproject([mid]);

    await second.stopPublishing();
    await expect
      .poll(() => viewer.eventData('inactive'))
      .toEqual([{ streamId: `main/${streamName}`, sourceId: 'CAM2' }]);
    await expectMovingPicture(viewer.page, 'sdk-viewer');
  });

  test('counts viewers', async ({ server: { origin }, streamName, openApp, publishing }) => {
    const publisher = await publishing({ options: { events: ['active', 'inactive', 'viewercount'] } });
    const count = async (app: SdkApp) => (await app.eventData('viewercount')).at(-1)?.viewercount;
    await expect.poll(() => count(publisher)).toBe(0);

    const viewers = [await openApp(), await openApp()];
    for (const viewer of viewers) await viewer.view({ origin, streamName });
    await expect.poll(() => count(publisher)).toBe(2);
    await expect.poll(() => count(viewers[0]!)).toBe(2);
    await viewers[1]!.page.close();
    await expect.poll(() => count(publisher)).toBe(1);
    await viewers[0]!.page.close();
    await expect.poll(() => count(publisher)).toBe(0);
    expect((await publisher.eventData('active')).length).toBe(1);
    expect((await publisher.eventData('inactive')).length).toBe(1);
  });

  test('is recorded, stops that with unrecord and goes on with record, while it stays live', async ({
    server: { origin },
    tokens,
    apiSecret,
    streamName,
    openApp,
  }) => {
    const streams = new RecordedStreams(origin, apiSecret);
    const states = async () => (await streams.of(streamName)).map(({ state }) => state);
    const app = await openApp();
    const refused = await tokens.publish(streamName);
    const options = { codec: 'h264', record: true };
    await expect(app.publish({ origin, streamName, token: refused, options })).rejects.toThrow(/recording/i);

    const token = await tokens.publish(streamName, { record: true });
    await app.publish({ origin, streamName, token, options });
    await mediaFlows({ origin, streamName });
    const written = async () => (await streams.of(streamName)).at(-1)?.durationSeconds ?? 0;
    await expect.poll(written).toBeGreaterThan(2);
    await app.unrecord();
    await expect.poll(states).toEqual(['ready']);
    await app.record();
    await expect.poll(states).toEqual(['ready', 'recording']);
    await expect.poll(written).toBeGreaterThan(1);
    await mediaFlows({ origin, streamName });
    for (const recording of await streams.of(streamName)) expect(recording).toMatchObject({ fault: null });
    expect((await streams.decoded((await streams.of(streamName))[0]!)).errors).toBe('');
  });

  test('waits for a stream to start, and to start again', async ({ server, tokens, streamName, openApp }) => {
    const { origin } = server;
    const viewer = await openApp();
    await viewer.view({ origin, streamName, token: await tokens.subscribe(streamName) });

    const token = await tokens.publish(streamName);
    for (const times of [1, 2]) {
      const publisher = await openApp();
      await publisher.publish({ origin, streamName, token, options: { codec: 'vp8' } });
      await expectMovingPicture(viewer.page, 'sdk-viewer');
      expect((await viewer.eventData('active')).length).toBe(times);
      await publisher.stopPublishing();
      await expect.poll(async () => (await viewer.eventData('inactive')).length).toBe(times);
    }
  });

  test('reads our refusals', async ({ server, tokens, streamName, openApp }) => {
    const { origin } = server;
    const viewer = await openApp();
    const unknown = '00'.repeat(32);
    await expect(viewer.view({ origin, streamName, token: unknown })).rejects.toThrow(/Unauthorized: Invalid token/);
    await expect(viewer.view({ origin, streamName })).rejects.toThrow(/stream not being published/);

    const token = await tokens.publish(streamName);
    const [first, second] = [await openApp(), await openApp()];
    await expect(second.publish({ origin, streamName, token: unknown })).rejects.toThrow(/Invalid token/);
    await first.publish({ origin, streamName, token });
    await expect(second.publish({ origin, streamName, token })).rejects.toThrow(/stream name is in use/);
  });
});

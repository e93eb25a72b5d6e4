import { expectMovingPicture, frameSize, mediaFlows } from '../support/pages.ts';
import { RecordedStreams } from '../support/recorded-streams.ts';
import { SdkApp, type PublishOptions } from '../support/sdk-app.ts';
import { expect, test as base } from '../support/test.ts';

interface Fixtures {
  /** Opens another page of a site that uses the SDK. */
  openApp: () => Promise<SdkApp>;
  /** Publishes the stream from such a page. Resolves when media flows. */
  publishing: (options?: Pick<PublishOptions, 'size' | 'options'>) => Promise<SdkApp>;
}

const test = base.extend<Fixtures>({
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
  test('waits for a stream in three layers, shows the one that it selects beside our viewer, counts both, and sees the stream start again', async ({
    server: { origin },
    tokens,
    streamName,
    openApp,
    publishing,
    watching,
  }) => {
    const viewer = await openApp();
    await viewer.view({ origin, streamName, token: await tokens.subscribe(streamName) });

    const size = { width: 1280, height: 720 };
    const events = ['active', 'inactive', 'viewercount'];
    const publisher = await publishing({ size, options: { codec: 'h264', simulcast: true, events } });
    await publisher.scaleLayers();
    await expectMovingPicture(viewer.page, 'sdk-viewer');
    const ours = await watching();
    const count = async (app: SdkApp) => (await app.eventData('viewercount')).at(-1)?.viewercount;
    await expect.poll(() => count(publisher)).toBe(2);
    await expect.poll(() => count(viewer)).toBe(2);
    await ours.close();
    await expect.poll(() => count(publisher)).toBe(1);

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

    const times = async (name: string) => (await viewer.eventData(name)).length;
    expect(await times('active')).toBe(1);
    await publisher.stopPublishing();
    await expect.poll(() => times('inactive')).toBe(1);
    await publishing({ size: { width: 320, height: 180 }, options: { codec: 'vp8' } });
    await expectMovingPicture(viewer.page, 'sdk-viewer');
    expect(await times('active')).toBe(2);
  });

  test('publishes several sources, and its viewer shows them side by side or switches between them', async ({
    server: { origin },
    streamName,
    openApp,
    publishing,
  }) => {
    const [wide, narrow] = [
      { width: 320, height: 180 },
      { width: 160, height: 120 },
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
      .toEqual([{ streamId: `main/${streamName}`, sourceId: 'CAM2', declared: true, endedOn: expect.any(Number) }]);
    await expectMovingPicture(viewer.page, 'sdk-viewer');
  });

  test('is recorded, stops that with unrecord and goes on with record; and reads our refusals', async ({
    server: { origin },
    tokens,
    apiSecret,
    streamName,
    openApp,
  }) => {
    const viewer = await openApp();
    const unknown = '00'.repeat(32);
    await expect(viewer.view({ origin, streamName, token: unknown })).rejects.toThrow(/Unauthorized: Invalid token/);
    await expect(viewer.view({ origin, streamName })).rejects.toThrow(/stream not being published/);

    const [app, other] = [await openApp(), await openApp()];
    const address = { origin, streamName, size: { width: 320, height: 180 } };
    const options = { codec: 'h264', record: true };
    const unrecorded = await tokens.publish(streamName);
    await expect(app.publish({ ...address, token: unknown })).rejects.toThrow(/Invalid token/);
    await expect(app.publish({ ...address, token: unrecorded, options })).rejects.toThrow(/recording/i);
    const token = await tokens.publish(streamName, { record: true });
    await app.publish({ ...address, token, options });
    await mediaFlows({ origin, streamName });
    await expect(other.publish({ ...address, token })).rejects.toThrow(/stream name is in use/);

    const streams = new RecordedStreams(origin, apiSecret);
    const states = async () => (await streams.of(streamName)).map(({ state }) => state);
    const written = async () => (await streams.of(streamName)).at(-1)?.durationSeconds ?? 0;
    await expect.poll(written).toBeGreaterThan(0);
    await app.unrecord();
    await expect.poll(states).toEqual(['ready']);
    await app.record();
    await expect.poll(states).toEqual(['ready', 'recording']);
    await mediaFlows({ origin, streamName });
  });
});

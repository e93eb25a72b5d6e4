import type { VideoCodec } from '../../../server/media/engine/media-track.ts';
import type { TappedFrame, TapTracks } from '../../../server/media/engine/tap.ts';
import type { RewindPart } from '../../../server/recording/rewind-source.ts';
import { Cleanup } from '../../support/cleanup.ts';
import { dataFolder } from '../../support/data-folder.ts';
import { inOrder, soundFrames, videoFrames } from '../../support/recording/encoded-media.ts';
import { recordFrames } from '../../support/recording/record-frames.ts';
import { RecordingServer } from '../support/recording-server.ts';
import { RewindingPage } from '../support/rewinding-page.ts';
import { expect, test as base } from '../support/test.ts';

const test = base.extend<{ cleanup: Cleanup }>({
  cleanup: async ({}, use) => {
    const cleanup = new Cleanup();
    await use(cleanup);
    await cleanup.run();
  },
});

const STARTS_AT = Date.parse('2030-01-01T00:00:00Z');
/** A window, another one, then a phone that is turned. */
const SIZES = ['320x180', '192x108', '108x192'];
/** Of the black picture that is shown with sound alone. */
const BLACK = '160x90';
/** What is shown at a time of the recording, in seconds. */
const SHOWN = [
  [1, BLACK],
  [5, SIZES[0]],
  [7, SIZES[1]],
  [9, SIZES[2]],
  // The camera sends nothing.
  [12, SIZES[2]],
  [16, SIZES[2]],
  [18, BLACK],
] as const;
const LENGTH_S = 19;

/** What a viewer saw of a recording. */
interface SeenRecording {
  /** The number of frames with a picture, and of those without one. */
  readonly pictures: number;
  readonly empty: number;
}

/**
 * The parts of a broadcast: the microphone alone, then the camera in three sizes, with some seconds where it sends
 * nothing, then the microphone alone.
 */
async function partsOf(cleanup: Cleanup, codec: VideoCodec): Promise<RewindPart[]> {
  const sound = await soundFrames(13);
  const soundOf = (seconds: number): TappedFrame[] => sound.filter(({ timestampMs }) => timestampMs < 1_000 * seconds);
  const pictures = await Promise.all(SIZES.map((size) => videoFrames({ codec, seconds: 2, size, kilobits: 150 })));
  const sizes = pictures.flatMap((frames, index) => inOrder(2_000 * index, frames));
  const camera = [...sizes, ...inOrder(11_000, pictures[2]!)];
  const both = { video: { codec }, audio: { codec: 'opus' } } as const;
  const alone = { video: undefined, audio: { codec: 'opus' } } as const;
  const parts: readonly (readonly [startsAt: number, tracks: TapTracks, ...media: (readonly TappedFrame[])[]])[] = [
    [0, alone, soundOf(4)],
    [4_200, both, soundOf(13), camera],
    [17_400, alone, soundOf(2)],
  ];
  return Promise.all(
    parts.map(async ([startsAt, tracks, ...media], index) => {
      const frames = inOrder(STARTS_AT + startsAt, ...media);
      const { start, end, groups } = await recordFrames(await dataFolder(cleanup), frames, tracks);
      return {
        id: `part-${index + 1}`,
        file: start.file,
        startsAt: start.startsAt,
        video: tracks.video,
        expectedVideo: tracks.video ? undefined : codec,
        audio: tracks.audio,
        groups,
        durationMs: end.durationMs,
        bytes: end.bytes,
        isOpen: false,
      };
    }),
  );
}

/** Runs in the page: looks at each frame that is drawn. */
function watchRecording(): void {
  const root = document.querySelector('stream-viewer')!.shadowRoot!;
  const pen = new OffscreenCanvas(16, 16).getContext('2d', { willReadFrequently: true })!;
  const seen = { pictures: 0, empty: 0 };
  Object.assign(window, { seenRecording: seen });
  const look = (): void => {
    const video = root.querySelector<HTMLVideoElement>('.recording:not([data-hidden])');
    if (video && video.played.length > 0) {
      pen.clearRect(0, 0, 16, 16);
      pen.drawImage(video, 0, 0, 16, 16);
      seen[pen.getImageData(8, 8, 1, 1).data[3] === 255 ? 'pictures' : 'empty'] += 1;
    }
    requestAnimationFrame(look);
  };
  look();
}

test('a recording is played through pictures of changing sizes, times without a picture, and sound alone, by every player', async ({
  cleanup,
  context,
}) => {
  const server = await RecordingServer.start();
  cleanup.after(() => server.close());
  const players = [
    ['the HLS of the browser', 'h264'],
    ['hls.js', 'vp9'],
  ] as const;
  await Promise.all(
    players.map(async ([player, codec]) => {
      const streamName = await server.nextStream();
      const parts = await partsOf(cleanup, codec);
      // The camera is turned on while the viewer hears the sound from before.
      server.recordParts(streamName, parts.slice(0, 1));
      const viewer = new RewindingPage(await context.newPage());
      await viewer.setPace(0.25);
      await viewer.open({ origin: server.origin, streamName }, { player });
      await viewer.page.evaluate(watchRecording);
      await viewer.notePlaying();
      await viewer.fromBeginning.click();
      await viewer.expectToPlayFrom(0);
      server.recordParts(streamName, parts);
      await viewer.setSpeed('2×');
      await expect(viewer.fromBeginning).toBeVisible();

      const seen = await viewer.page.evaluate(() => Reflect.get(window, 'seenRecording') as SeenRecording);
      expect(seen.pictures / (seen.pictures + seen.empty), 'has a picture at nearly every frame').toBeGreaterThan(0.9);
      // The first video has what was recorded when it was loaded, and the second one the rest.
      await viewer.expectToHavePlayedTo(4, LENGTH_S);

      await viewer.fromBeginning.click();
      await viewer.expectToPlayFrom(0);
      const recording = viewer.page.locator('stream-viewer .recording:not([data-hidden])');
      // So slow that a busy machine sees all of it.
      await recording.evaluate((video: HTMLVideoElement) => void (video.playbackRate = 0.1));
      for (const [time, size] of SHOWN) {
        await viewer.seekTo(time);
        const shown = () => recording.evaluate((video: HTMLVideoElement) => `${video.videoWidth}x${video.videoHeight}`);
        await expect.poll(shown, `${player} at ${time} s`).toBe(size);
        expect(Math.floor(await viewer.time())).toBe(time);
      }
      expect(viewer.faults).toEqual([]);
    }),
  );
});

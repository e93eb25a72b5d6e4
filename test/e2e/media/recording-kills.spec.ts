import { mediaProcesses } from '../support/media-processes.ts';
import { processId } from '../support/child-processes.ts';
import { RecordedStreams, type Recorded } from '../support/recorded-streams.ts';
import { broadcastHeadless } from '../support/tagless.ts';
import { expect, test as base } from '../support/test.ts';

/** What the recordings may lack after a kill. */
const LOST_MS = 2_000;
/** Until the next recorder runs, and has a keyframe, on a busy machine. */
const RESUMED_WITHIN_MS = 6_000;

interface RecordedBroadcast {
  /** Resolves when this many more seconds are recorded. */
  readonly grows: (seconds: number) => Promise<void>;
  /** Has a viewer load a segment of what is recorded so far, which the packager makes. */
  readonly isWatched: () => Promise<void>;
  /** Ends the broadcast. */
  readonly stop: () => Promise<void>;
  /** Every frame of all recordings, when their files are ready. */
  readonly frames: () => Promise<Frames>;
}

interface Frames {
  /** When each picture was recorded, in milliseconds since 1970. */
  readonly times: readonly number[];
  readonly faults: readonly (string | null)[];
}

const test = base.extend<{ recorded: RecordedBroadcast }>({
  recorded: async ({ server: { origin }, apiSecret, tokens, streamName, context }, use) => {
    const streams = new RecordedStreams(origin, apiSecret);
    const page = await context.newPage();
    const token = await tokens.publish(streamName, { record: true });
    await broadcastHeadless(page, { origin, streamName, token }, { codec: 'h264' });
    const seconds = async (): Promise<number> => {
      const all = await streams.of(streamName).catch((): Recorded[] => []);
      return all.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
    };
    await use({
      async grows(more) {
        const before = await seconds();
        await expect.poll(seconds).toBeGreaterThan(before + more);
      },
      async isWatched() {
        const segmentStatus = async (): Promise<number | undefined> => {
          const playlist = await fetch(`${origin}/api/hls/main/${streamName}`);
          const segment = (await playlist.text()).match(/.+\.m4s/)?.[0];
          return segment === undefined ? undefined : (await fetch(new URL(segment, playlist.url))).status;
        };
        await expect.poll(segmentStatus).toBe(200);
      },
      async stop() {
        await page.close();
        await streams.stop(streamName);
      },
      async frames() {
        const states = async () => new Set((await streams.of(streamName)).map(({ state }) => state));
        await expect.poll(states, { timeout: 60_000 }).toEqual(new Set(['ready']));
        const times: number[] = [];
        const all = await streams.of(streamName);
        for (const recording of all) {
          const { errors, video } = await streams.decoded(recording);
          expect(errors).toBe('');
          times.push(...video.map(({ timestampMs }) => Date.parse(recording.startedOn) + timestampMs));
        }
        return { times, faults: all.map(({ fault }) => fault) };
      },
    });
  },
});

test.use({ environment: { MEDIA_WORKERS: '1' } });

/** The media before `time` that are in no file. */
function lostBefore({ times }: Frames, time: number): number {
  return time - Math.max(...times.filter((at) => at <= time));
}

/** How long no picture was recorded around `time`. */
function gapAt({ times }: Frames, time: number): number {
  return Math.min(...times.filter((at) => at > time)) - Math.max(...times.filter((at) => at <= time));
}

const kill = (pid: number): number => {
  process.kill(pid, 'SIGKILL');
  return Date.now();
};

test('when the recorder is killed, it goes on in the same recording', async ({ server, recorded }) => {
  await recorded.grows(3);
  const killedAt = kill(processId(server, 'recorder'));
  await recorded.grows(3);
  await recorded.stop();
  const frames = await recorded.frames();
  expect(frames.faults).toEqual(['recorder_lost']);
  expect(lostBefore(frames, killedAt)).toBeLessThan(LOST_MS);
  // The broadcast went on: what is missing before and after the kill is lost.
  expect(gapAt(frames, killedAt)).toBeLessThan(LOST_MS + RESUMED_WITHIN_MS);
});

test('when the packager is killed while it makes the file, the file is made all the same', async ({
  server,
  recorded,
}) => {
  await recorded.grows(3);
  await recorded.isWatched();
  const pid = processId(server, 'packager');
  process.kill(pid, 'SIGSTOP');
  await recorded.stop();
  kill(pid);
  const frames = await recorded.frames();
  expect(frames.faults).toEqual([null]);
  const { times } = frames;
  expect(Math.max(...times.slice(1).map((time, index) => time - times[index]!))).toBeLessThan(LOST_MS);
});

test('when the media worker is killed, the recording goes on with the broadcast', async ({ server, recorded }) => {
  await recorded.grows(3);
  const [pid] = mediaProcesses(server).values();
  const killedAt = kill(pid!);
  await recorded.grows(3);
  await recorded.stop();
  const frames = await recorded.frames();
  expect(frames.faults).toEqual([null]);
  expect(lostBefore(frames, killedAt)).toBeLessThan(LOST_MS);
});

test('when the server is killed, the next one finishes what it recorded and records on', async ({
  server,
  recorded,
}) => {
  await recorded.grows(3);
  const killedAt = Date.now();
  await server.restart('SIGKILL');
  await recorded.grows(3);
  await recorded.stop();
  const frames = await recorded.frames();
  expect(frames.faults).toEqual(['recorder_lost', null]);
  expect(lostBefore(frames, killedAt)).toBeLessThan(LOST_MS);
});

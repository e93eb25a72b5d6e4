import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createEmbeddedEngine } from '../server/media/embedded/embedded-engine.js';
import type { MediaEngine } from '../server/media/engine/media-engine.js';
import type { AddedSource } from '../server/media/engine/media-session.js';
import type { SourceFrame } from '../server/media/engine/media-track.js';
import { withLengths } from '../server/recording/matroska/h264-in-file.js';
import { withMedia } from '../server/recording/packager/media-file.js';
import { RecorderProcess } from '../server/recording/recorder/recorder-process.js';
import type { PartProgress, PartStart } from '../server/recording/recorder.js';
import { until } from '../test/support/media/until.js';
import { decodeFile } from '../test/support/recording/decode-file.js';
import { inOrder, soundFrames, videoFrames } from '../test/support/recording/encoded-media.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { rewindStarts } from './recording/rewind-starts.js';
import { viewerDelay, type BenchRecording } from './recording/viewer-delay.js';
import { median } from './support/percentile.js';
import { processCost } from './support/process-cost.js';
import { progress } from './support/progress.js';
import { streamIdOf, type StreamId } from '../server/streams/stream-id.js';

const STREAMS = 20;
/** 720p of a browser. */
const KILOBITS = 2_500;
const CLIP_S = 10;
const MEASURED_S = 20;
const KILLS = 5;
/** The target: of one core, for each stream. */
const CORE_A_STREAM = 0.05;
/** The target: of media, when the process is killed. */
const LOST_MS = 2_000;
/** The target: p99 of the delay to viewers, by that without a recording. */
const DELAY_WITHIN = 1.1;
const WATCHED = streamIdOf('acme', 'watched');
const REWINDS = 20;
/** The target: from the click on the timeline to the first picture of then. */
const REWIND_START_MS = 500;

/**
 * Measures what the process of the recorder costs while it records twenty streams at once, from the packets of the media
 * worker to the files, by how much it delays packets to viewers, how much is lost when it is killed, and how soon viewers
 * who go back see the picture of then.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'streamgate-recording-'));
  const engine = await createEmbeddedEngine({ bindAddress: '127.0.0.1', udpPort: 0 });
  const recorder = new RecorderProcess({ onLog: () => {} });
  const streams = Array.from({ length: STREAMS }, (_, index) => streamIdOf('acme', `stream-${index}`));
  let player: Player | undefined;
  try {
    progress('encoding a clip');
    const video = await videoFrames({ codec: 'h264', seconds: CLIP_S, size: '1280x720', kilobits: KILOBITS });
    player = await play(engine, streams, inOrder(0, video, await soundFrames(CLIP_S)));
    const parts = await record({ engine, recorder, streams, folder });

    progress(`recording ${STREAMS} streams`);
    await until('all are recorded', () => parts.progress.size === STREAMS, 30_000);
    const bytes = (): number => [...parts.progress.values()].reduce((sum, part) => sum + part.bytes, 0);
    const bytesBefore = bytes();
    const before = await processCost(recorder.pid!);
    const startedAt = performance.now();
    await delay(1_000 * (quick ? 3 : MEASURED_S));
    const after = await processCost(recorder.pid!);
    const seconds = (performance.now() - startedAt) / 1_000;
    const core = (after.cpuMicros - before.cpuMicros) / 1e6 / seconds / STREAMS;
    const megabits = (8 * (bytes() - bytesBefore)) / 1e6 / seconds / STREAMS;
    const framesLost = [...parts.progress.values()].reduce((sum, part) => sum + part.framesLost, 0);

    // The parts of the measurement end, so that a kill finds only its own.
    await stopAll(recorder, parts);
    let recordings = 0;
    const viewers = await viewerDelay({
      engine,
      stream: WATCHED,
      quick,
      record: async (): Promise<BenchRecording> => {
        const recorded = [...streams, WATCHED];
        recordings += 1;
        const rig = { engine, recorder, streams: recorded, folder: join(folder, `delay-${recordings}`) };
        const own = await record(rig);
        return {
          isWritten: () => own.progress.size === recorded.length,
          stop: async () => {
            await stopAll(recorder, own);
            await rm(rig.folder, { recursive: true });
          },
        };
      },
    });
    const losses: number[] = [];
    for (let kill = 0; kill < (quick ? 1 : KILLS); kill++) {
      progress(`kill ${kill + 1}`);
      losses.push(...(await lossesOfKill({ engine, recorder, streams, folder: join(folder, `${kill}`) }, player)));
    }
    player.stop();
    progress('starts of rewinds');
    const starts = await rewindStarts(quick ? 3 : REWINDS);
    return {
      name: 'recording',
      ratio: core / CORE_A_STREAM,
      against: `${100 * CORE_A_STREAM} % of a core for each stream`,
      also: [
        {
          ratio: viewers.recorded.p99Ms / viewers.plain.p99Ms / DELAY_WITHIN,
          against: `${DELAY_WITHIN} times the p99 delay to viewers while nothing is recorded`,
          target: { most: 1 },
        },
        {
          ratio: Math.max(...losses) / LOST_MS,
          against: `${LOST_MS} ms of media that a killed recorder may lose`,
          target: { most: 1 },
        },
        {
          ratio: median(starts) / REWIND_START_MS,
          against: `${REWIND_START_MS} ms from a click to the picture of then`,
          target: { most: 1 },
        },
      ],
      figures: {
        streams: STREAMS,
        cores: availableParallelism(),
        percentOfCoreAStream: 100 * core,
        megabitsAStream: megabits,
        residentMegabytes: after.residentBytes / 2 ** 20,
        framesLost,
        delayP50Ms: viewers.plain.p50Ms,
        delayRecordedP50Ms: viewers.recorded.p50Ms,
        delayP99Ms: viewers.plain.p99Ms,
        delayRecordedP99Ms: viewers.recorded.p99Ms,
        delayDelivered: viewers.delivered,
        lostByKillMsMedian: median(losses),
        lostByKillMsMost: Math.max(...losses),
        rewindStartMsMedian: median(starts),
        rewindStartMsMost: Math.max(...starts),
      },
    };
  } finally {
    player?.stop();
    await recorder.close();
    await engine.close();
    await rm(folder, { recursive: true });
  }
}

interface Rig {
  readonly engine: MediaEngine;
  readonly recorder: RecorderProcess;
  readonly streams: readonly StreamId[];
  readonly folder: string;
}

/** By stream. */
interface Parts {
  readonly started: Map<string, PartStart>;
  readonly progress: Map<string, PartProgress>;
}

interface Player {
  /** How far the clip was played in each stream when its last picture was sent, in ms. */
  readonly sentMs: () => ReadonlyMap<string, number>;
  /** Where a picture is in the clip. Undefined: it is not in it. */
  readonly positionMs: (picture: Buffer) => number | undefined;
  readonly lengthMs: number;
  readonly stop: () => void;
}

/**
 * Publishes the frames in each stream in real time, again and again. The streams begin one after the other, as those of
 * independent publishers do: their keyframes do not come in one moment.
 */
async function play(engine: MediaEngine, streams: readonly string[], frames: readonly SourceFrame[]): Promise<Player> {
  const tracks = { video: { codec: 'h264' }, audio: { codec: 'opus' } } as const;
  const lengthMs = frames.at(-1)!.timestampMs + 33;
  const zero = performance.now();
  const playing: { readonly source: AddedSource; readonly startMs: number; sent: number }[] = [];
  for (const [index, stream] of streams.entries()) {
    const source = await engine.addSource(stream, tracks);
    playing.push({ source, startMs: (index * lengthMs) / streams.length, sent: 0 });
  }
  const sentMs = new Map<string, number>();
  const pictures = frames.filter(({ kind }) => kind === 'video');
  const positions = new Map(pictures.map(({ data, timestampMs }) => [digest(withLengths(data)), timestampMs]));
  const timer = setInterval(() => {
    for (const [index, stream] of playing.entries()) {
      for (;;) {
        const { timestampMs, ...frame } = frames[stream.sent % frames.length]!;
        const playedMs = timestampMs + Math.floor(stream.sent / frames.length) * lengthMs;
        if (stream.startMs + playedMs > performance.now() - zero) break;
        stream.source.write({ ...frame, timestampMs: playedMs });
        if (frame.kind === 'video') sentMs.set(streams[index]!, timestampMs);
        stream.sent += 1;
      }
    }
  }, 5);
  return {
    lengthMs,
    sentMs: () => new Map(sentMs),
    positionMs: (picture) => positions.get(digest(picture)),
    stop() {
      clearInterval(timer);
      for (const { source } of playing) source.close();
    },
  };
}

const digest = (data: Buffer): string => createHash('sha256').update(data).digest('base64');

/** The last picture that is in a file. */
async function lastPicture(file: string): Promise<Buffer> {
  return withMedia(file, async (part) => {
    let last: Buffer | undefined;
    for await (const { blocks } of part.clusters())
      last = blocks.findLast(({ kind }) => kind === 'video')?.data ?? last;
    if (!last) throw new Error('a file of the killed recorder has no picture');
    return last;
  });
}

/** Records each stream in a part of its name. */
async function record({ engine, recorder, streams, folder }: Rig): Promise<Parts> {
  const parts: Parts = { started: new Map(), progress: new Map() };
  recorder.on('started', (start) => parts.started.set(start.partId, start));
  recorder.on('progress', (report) => parts.progress.set(report.partId, report));
  await mkdir(folder, { recursive: true });
  for (const [index, stream] of streams.entries()) {
    const tap = engine.tapAddress(stream);
    if (!tap) throw new Error('the engine has no address to tap');
    const path = join(folder, `part-${index}`);
    recorder.start({ partId: stream, tap, stream, sourceId: null, path, keyframeEveryMs: 2_000 });
  }
  return parts;
}

/** Ends all parts. Resolves when their files are complete. */
async function stopAll(recorder: RecorderProcess, { started }: Parts): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const open = new Set(started.keys());
  recorder.on('ended', ({ partId }) => {
    open.delete(partId);
    if (open.size === 0) resolve();
  });
  for (const partId of started.keys()) recorder.stop(partId);
  await ended;
  recorder.removeAllListeners();
}

/**
 * Kills the process while it records all streams. What is lost is found by the pictures themselves, and not by a clock:
 * the engine plays a new tap what came before, so that timestamps are ahead of the time at which frames arrive.
 * @returns ms of the clip from the last picture in each file to the last one that was sent
 */
async function lossesOfKill(rig: Rig, player: Player): Promise<readonly number[]> {
  const { recorder, streams } = rig;
  await until('the recorder runs', () => recorder.isReady, 30_000);
  recorder.removeAllListeners();
  const parts = await record(rig);
  await until('all are recorded', () => parts.progress.size === streams.length, 30_000);
  await delay(1_000 + 1_000 * Math.random());
  const ended = Promise.withResolvers<void>();
  recorder.once('ended', () => ended.resolve());
  const sentMs = player.sentMs();
  process.kill(recorder.pid!, 'SIGKILL');
  await ended.promise;
  const losses: number[] = [];
  for (const stream of streams) {
    const { file } = parts.started.get(stream)!;
    const positionMs = player.positionMs(await lastPicture(file));
    if (positionMs === undefined) throw new Error('the last picture of a file was never sent');
    // The clip begins again after its end.
    losses.push((sentMs.get(stream)! - positionMs + player.lengthMs) % player.lengthMs);
  }
  const { errors } = await decodeFile(parts.started.values().next().value!.file);
  if (errors) throw new Error(`a file of the killed recorder is not clean: ${errors}`);
  return losses;
}

import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input, type InputTrack } from 'mediabunny';
import type { VideoCodec } from '../../../server/media/engine/media-track.js';
import type { TappedFrame } from '../../../server/media/engine/tap.js';
import { root } from '../../../scripts/run-command.js';
import { runFfmpeg, words } from '../run-encoder.js';

export interface MediaWish {
  readonly codec: VideoCodec;
  readonly seconds: number;
  /** Frames from one keyframe to the next. Default: 60, two seconds. */
  readonly keyframeEvery?: number;
  readonly size?: string;
  /** Default: 300. */
  readonly kilobits?: number;
  /** The arguments of ffmpeg for the picture. Default: a test picture at 30/s. */
  readonly input?: readonly string[];
}

const FPS = 30;
/** What was encoded once is used again, by later runs too. */
const CACHE = join(root, 'node_modules/.cache/streamgate/media');
/** As browsers and encoders send them live: without frames out of order. */
const ENCODERS: Readonly<Record<VideoCodec, string>> = {
  // The file keeps the start codes, and the parameter sets before each keyframe.
  h264: '-c:v libx264 -preset ultrafast -tune zerolatency -pix_fmt yuv420p -sc_threshold 0 -f mpegts',
  vp8: '-c:v libvpx -deadline realtime -cpu-used 8 -auto-alt-ref 0 -f webm',
  vp9: '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -auto-alt-ref 0 -lag-in-frames 0 -f webm',
  av1: '-c:v libaom-av1 -usage realtime -cpu-used 8 -lag-in-frames 0 -f matroska',
};

/** Encodes a test picture. The frames are as a tap delivers them; their timestamps begin with 0. */
export async function videoFrames(wish: MediaWish): Promise<TappedFrame[]> {
  const { codec, seconds, keyframeEvery = 60, size = '320x180', kilobits = 300 } = wish;
  const testPicture = words(`-f lavfi -i testsrc2=size=${size}:rate=${FPS}:duration=${seconds}`);
  const { input = testPicture } = wish;
  const rate = words(`-b:v ${kilobits}k -g ${keyframeEvery} -keyint_min ${keyframeEvery}`);
  return encode([...input, ...rate, ...words(ENCODERS[codec])], 'video', size);
}

/** Encodes a tone with Opus. */
export async function soundFrames(seconds: number): Promise<TappedFrame[]> {
  const input = `-f lavfi -i sine=frequency=440:sample_rate=48000:duration=${seconds}`;
  return encode(words(`${input} -c:a libopus -ac 2 -b:a 48k -f webm`), 'audio');
}

/** Frames of several tracks in the order of their timestamps, which count from this time. */
export function inOrder(startsAt: number, ...tracks: readonly (readonly TappedFrame[])[]): TappedFrame[] {
  return tracks
    .flat()
    .map((frame) => Object.assign({}, frame, { timestampMs: frame.timestampMs + startsAt }))
    .sort((a, b) => a.timestampMs - b.timestampMs);
}

async function encode(args: readonly string[], kind: 'audio' | 'video', size?: string): Promise<TappedFrame[]> {
  return await readFrames(await encodedFile(args), kind, size);
}

/** The file that ffmpeg makes with these arguments, which name its format. */
export async function encodedFile(args: readonly string[]): Promise<string> {
  const file = join(CACHE, createHash('sha256').update(args.join(' ')).digest('hex'));
  if (!existsSync(file)) {
    await mkdir(CACHE, { recursive: true });
    // Other processes may encode the same.
    const unfinished = `${file}-${randomUUID()}`;
    const { code, output } = await runFfmpeg(['-loglevel', 'error', ...args, '-y', unfinished]);
    if (code !== 0) throw new Error(`ffmpeg failed: ${output}`);
    await rename(unfinished, file);
  }
  return file;
}

async function readFrames(file: string, kind: 'audio' | 'video', size = '0x0'): Promise<TappedFrame[]> {
  using input = new Input({ source: new FilePathSource(file), formats: ALL_FORMATS });
  const track: InputTrack | null = await (kind === 'video'
    ? input.getPrimaryVideoTrack()
    : input.getPrimaryAudioTrack());
  if (!track) throw new Error(`the file has no ${kind}`);
  const [width, height] = size.split('x').map(Number) as [number, number];
  const frames: TappedFrame[] = [];
  let origin: number | undefined;
  for await (const { data, type, timestamp } of new EncodedPacketSink(track).packets()) {
    origin ??= timestamp;
    const isKeyframe = type === 'key';
    const [frameWidth, frameHeight] = kind === 'video' && isKeyframe ? [width, height] : [0, 0];
    const timestampMs = 1_000 * (timestamp - origin);
    frames.push({ kind, data: Buffer.from(data), isKeyframe, timestampMs, width: frameWidth, height: frameHeight });
  }
  return frames;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { ffmpegProgram } from '../run-encoder.js';

export interface DecodedFrame {
  readonly kind: 'audio' | 'video';
  readonly timestampMs: number;
  readonly width: number;
  readonly height: number;
}

export interface DecodedFile {
  readonly video: readonly DecodedFrame[];
  readonly audio: readonly DecodedFrame[];
  /** What ffmpeg complains about. Empty: nothing. */
  readonly errors: string;
  /** Undefined: the file does not say. */
  readonly durationMs: number | undefined;
  readonly format: string;
}

/** Decodes every frame of a file with ffprobe, the oracle of these tests. */
export async function decodeFile(file: string): Promise<DecodedFile> {
  const probe = join(dirname(await ffmpegProgram()), 'ffprobe');
  const args = ['-v', 'error', '-show_frames', '-show_format', '-of', 'json', '-show_entries'];
  const entries = 'frame=media_type,pts_time,width,height:format=duration,format_name';
  const child = spawn(probe, [...args, entries, file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let json = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (json += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code] = await once(child, 'close');
  if (code !== 0) errors ||= 'it cannot be read';
  const { frames = [], format = {} } = JSON.parse(json || '{}') as {
    frames?: { media_type: string; pts_time: string; width?: number; height?: number }[];
    format?: { duration?: string; format_name?: string };
  };
  const all = frames.map(({ media_type: kind, pts_time: seconds, width = 0, height = 0 }) => ({
    kind: kind as DecodedFrame['kind'],
    timestampMs: Math.round(1_000 * Number(seconds)),
    width,
    height,
  }));
  const [video, audio] = (['video', 'audio'] as const).map((kind) => all.filter((frame) => frame.kind === kind));
  for (const { kind, timestampMs } of [video!, audio!].flatMap(notAfterTheOneBefore)) {
    errors += `a frame of ${kind} at ${timestampMs} ms is not after the one before\n`;
  }
  return {
    video: video!,
    audio: audio!,
    errors: errors.trim(),
    durationMs: format.duration === undefined ? undefined : Math.round(1_000 * Number(format.duration)),
    format: format.format_name ?? '',
  };
}

/** A player cannot show these. */
const notAfterTheOneBefore = (frames: readonly DecodedFrame[]): readonly DecodedFrame[] =>
  frames.slice(1).filter(({ timestampMs }, index) => !(timestampMs > frames[index]!.timestampMs));

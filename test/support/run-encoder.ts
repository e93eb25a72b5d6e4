import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { toolPath } from '../../scripts/tools.ts';

/** An encoder that ends itself needs some seconds. */
const TIMEOUT_MS = 60_000;

export interface EncoderResult {
  /** Null: it was killed, because it did not end. */
  readonly code: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

/** Arguments that have no spaces. */
export const words = (text: string): readonly string[] => text.split(' ');

/** For ffmpeg: a test picture of 320 × 180 at 30/s and a tone, in real time. */
export const LIVE_INPUT = words('-re -f lavfi -i testsrc2=size=320x180:rate=30 -re -f lavfi -i sine=sample_rate=48000');
/** H.264 as encoders send it live: a keyframe each second, no B-frames. */
export const LIVE_H264 = words('-c:v libx264 -preset ultrafast -tune zerolatency -pix_fmt yuv420p -g 30');

/** Runs ffmpeg until it ends, or until the signal. */
export async function runFfmpeg(args: readonly string[], signal?: AbortSignal): Promise<EncoderResult> {
  return run(await ffmpegProgram(), ['-hide_banner', '-nostdin', ...args], signal);
}

/** What ffmpeg writes to its standard output. */
export async function ffmpegOutput(args: readonly string[]): Promise<Buffer> {
  const child = spawn(await ffmpegProgram(), ['-hide_banner', '-loglevel', 'error', '-nostdin', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
  });
  return Buffer.concat(await child.stdout.toArray());
}

/** The path of ffmpeg, which is installed if possible. */
export const ffmpegProgram = (): Promise<string> => toolPath('ffmpeg');

/** Runs a pipeline of GStreamer until it ends, or until the signal. */
export async function runGstreamer(pipeline: readonly string[], signal?: AbortSignal): Promise<EncoderResult> {
  return run(await toolPath('gstreamer'), pipeline, signal);
}

/** Installs what GStreamer's rtmp2sink needs for TLS, if it is not there. */
export const installGstreamerTls = (): Promise<string> => toolPath('gstreamerTls');

async function run(program: string, args: readonly string[], signal?: AbortSignal): Promise<EncoderResult> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  if (signal?.aborted) child.kill('SIGKILL');
  signal?.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

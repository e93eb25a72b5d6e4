import { spawn } from 'node:child_process';
import type { VideoCodec } from '../../../server/media/engine/media-track.js';
import { ffmpegProgram } from '../run-encoder.js';

/** Decoders that show of each picture its largest spatial layer alone, as browsers do. */
const DECODERS: Readonly<Record<VideoCodec, string>> = {
  vp8: 'libvpx',
  h264: 'h264',
  vp9: 'libvpx-vp9',
  av1: 'libaom-av1',
};
const FOURCC: Readonly<Record<Exclude<VideoCodec, 'h264'>, string>> = { vp8: 'VP80', vp9: 'VP90', av1: 'AV01' };

/**
 * Decodes frames as they come from an encoder, in order.
 * @returns the heights of the pictures
 * @throws {Error} a frame cannot be decoded without errors
 */
export async function decodedHeights(codec: VideoCodec, frames: readonly Buffer[]): Promise<number[]> {
  const [format, file] = codec === 'h264' ? ['h264', Buffer.concat(frames)] : ['ivf', ivf(FOURCC[codec], frames)];
  const input = ['-c:v', DECODERS[codec], '-f', format, '-i', 'pipe:0'];
  const args = ['-hide_banner', '-v', 'level+info', ...input, '-vf', 'showinfo', '-f', 'null', '-'];
  const child = spawn(await ffmpegProgram(), args, { stdio: ['pipe', 'ignore', 'pipe'] });
  child.stdin.end(file);
  const printed = Buffer.concat(await child.stderr.toArray()).toString();
  const errors = printed.split('\n').filter((line) => /\[(?:error|fatal|panic)\]/.test(line));
  if (errors.length) throw new Error(`the frames of ${codec} cannot be decoded:\n${errors.join('\n')}`);
  return [...printed.matchAll(/ n: *\d+ .* s:\d+x(\d+) /g)].map(([, height]) => Number(height));
}

/** The IVF file format of libvpx: a header of 32 bytes, and one of 12 before each frame. */
function ivf(fourcc: string, frames: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(32);
  header.write('DKIF');
  header.writeUInt16LE(header.length, 6);
  header.write(fourcc, 8);
  header.writeUInt32LE(30, 16);
  header.writeUInt32LE(1, 20);
  header.writeUInt32LE(frames.length, 24);
  const parts = frames.flatMap((frame, index) => {
    const head = Buffer.alloc(12);
    head.writeUInt32LE(frame.length, 0);
    head.writeUInt32LE(index, 4);
    return [head, frame];
  });
  return Buffer.concat([header, ...parts]);
}

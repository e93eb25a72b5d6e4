import { spawnWithPipes } from '../../child-process.js';
import { contain } from '../../faults/contain.js';
import type { Still } from './still.js';

/** A still has one frame, which takes some ms. */
const TIMEOUT_MS = 10_000;
/** From 2, the best, to 31. */
const QUALITY = 4;
/** A picture of 4096 × 2304 is smaller. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Makes JPEG of stills with a program `ffmpeg`. @throws {Error} with the last line that ffmpeg wrote */
export async function jpegOf(ffmpeg: string, { type, bytes }: Still): Promise<Buffer> {
  const input = ['-f', type === 'image/webp' ? 'webp_pipe' : 'mp4', '-i', 'pipe:0'];
  const output = ['-frames:v', '1', '-c:v', 'mjpeg', '-q:v', String(QUALITY), '-f', 'image2pipe', 'pipe:1'];
  const child = spawnWithPipes(ffmpeg, ['-hide_banner', '-nostdin', '-v', 'error', ...input, ...output], {
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const chunks: Buffer[] = [];
  let size = 0;
  let said = '';
  child.stdout.on(
    'data',
    contain('media', (chunk: Buffer) => {
      chunks.push(chunk);
      if ((size += chunk.length) > MAX_BYTES) child.kill('SIGKILL');
    }),
  );
  child.stderr.setEncoding('utf8').on(
    'data',
    contain('media', (text: string) => (said = (said + text).slice(-500))),
  );
  // It may end before it has read everything: its exit code says whether it has a picture.
  child.stdin.on('error', () => {});
  child.stdin.end(bytes);
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  const code = await ended;
  if (code === 0 && size > 0) return Buffer.concat(chunks);
  throw new Error(`ffmpeg made no JPEG of the picture (exit ${code}): ${said.trim().split('\n').at(-1)}`);
}

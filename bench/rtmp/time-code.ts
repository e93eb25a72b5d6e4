import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** The time of a frame is a row of black and white blocks in its first lines, the lowest bit left. */
export const TIME_CODE = { bits: 24, blockWidth: 24, blockHeight: 48 } as const;

const [BLACK, WHITE, GRAY] = [16, 235, 128];

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
}

/**
 * Feeds ffmpeg with raw frames in real time. Each has the time when it was made, so that whoever sees it knows how old
 * it is.
 */
export class TimeCodedVideo {
  readonly #process: ChildProcessByStdio<Writable, null, Readable>;
  readonly #timer: NodeJS.Timeout;
  #errors = '';

  /** @param output arguments of ffmpeg after its input, which has no sound */
  constructor(ffmpeg: string, { width, height, framesPerSecond }: Picture, output: readonly string[]) {
    const input = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', String(framesPerSecond)];
    const args = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-probesize', '32'];
    // A frame that was left out is a gap, and not a slower clock.
    const timing = ['-use_wallclock_as_timestamps', '1'];
    this.#process = spawn(
      ffmpeg,
      [...args, ...timing, ...input, '-i', 'pipe:0', '-fps_mode', 'passthrough', ...output],
      {
        stdio: ['pipe', 'ignore', 'pipe'],
      },
    );
    this.#process.stdin.on('error', () => {});
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
    const frame = Buffer.alloc((width * height * 3) / 2, GRAY);
    const start = performance.now();
    let count = 0;
    this.#timer = setInterval(() => {
      // One frame for each time that is due: a late timer leaves none out.
      if (performance.now() - start < (count * 1_000) / framesPerSecond) return;
      // A frame that ffmpeg did not take yet would be old when it is encoded.
      if (this.#process.stdin.writableLength > 0) return;
      count = Math.floor(((performance.now() - start) * framesPerSecond) / 1_000) + 1;
      const written = Buffer.from(frame);
      drawTimeCode(written, width, Date.now());
      this.#process.stdin.write(written);
    }, 1);
  }

  /** What ffmpeg said. */
  get errors(): string {
    return this.#errors;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#process.kill('SIGKILL');
  }
}

function drawTimeCode(frame: Buffer, width: number, time: number): void {
  const { bits, blockWidth, blockHeight } = TIME_CODE;
  for (let bit = 0; bit < bits; bit++) {
    const isSet = Math.floor(time / 2 ** bit) % 2 === 1;
    for (let line = 0; line < blockHeight; line++) {
      const start = line * width + bit * blockWidth;
      frame.fill(isSet ? WHITE : BLACK, start, start + blockWidth);
    }
  }
}

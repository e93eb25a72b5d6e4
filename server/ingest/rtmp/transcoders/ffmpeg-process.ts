import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { spawnWithPipes } from '../../../child-process.js';
import { contain } from '../../../faults/contain.js';

/** Of what the program says, in characters: the end has the cause. */
const MAX_ERROR_TEXT = 1_000;

export interface FfmpegProcessOptions {
  /** Path of the program. */
  readonly ffmpeg: string;
  readonly args: readonly string[];
  /** Bytes that may wait for the program. If there are more, it is stuck. */
  readonly maxWaitingBytes: number;
  /** @throws {Error} the bytes are not what the program should write */
  readonly onOutput: (chunk: Buffer) => void;
  /** It writes nothing more. Called once, and never after `close()`. @param reason for the operator */
  readonly onEnd: (reason: string) => void;
}

/** An ffmpeg that reads media from its standard input and writes other media to its standard output. */
export class FfmpegProcess {
  readonly #options: FfmpegProcessOptions;
  /** Undefined: it could not be started. */
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  #isClosed = false;
  #errors = '';

  constructor(options: FfmpegProcessOptions) {
    this.#options = options;
    const args = ['-hide_banner', '-loglevel', 'error', '-nostdin', ...options.args];
    try {
      this.#process = spawnWithPipes(options.ffmpeg, args);
    } catch (error) {
      // Later: whoever opened it does not have it yet.
      setImmediate(contain('ingest', () => this.#end(error instanceof Error ? error.message : String(error))));
      return;
    }
    this.#process.stdout.on(
      'data',
      contain('ingest', (chunk: Buffer) => {
        if (this.#isClosed) return;
        try {
          options.onOutput(chunk);
        } catch (error) {
          this.#end(String(error));
        }
      }),
    );
    this.#process.stderr.setEncoding('utf8').on(
      'data',
      contain('ingest', (text: string) => {
        this.#errors = (this.#errors + text).slice(-MAX_ERROR_TEXT);
      }),
    );
    // `exit` follows and says why.
    this.#process.stdin.on('error', () => {});
    this.#process.on(
      'error',
      contain('ingest', (error) => this.#end(error.message)),
    );
    this.#process.on(
      'exit',
      contain('ingest', (code, signal) => this.#end(`${signal ?? `code ${code}`} ${this.#errors}`.trim())),
    );
  }

  write(bytes: Buffer): void {
    if (this.#isClosed || !this.#process) return;
    if (this.#process.stdin.writableLength > this.#options.maxWaitingBytes) return this.#end('it does not read');
    this.#process.stdin.write(bytes);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#process?.kill('SIGKILL');
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.onEnd(reason);
  }
}

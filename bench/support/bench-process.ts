import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { typescriptArguments } from '../../scripts/run-command.js';

const folder = join(import.meta.dirname, '..');

/** The calls that a process handles, by name. Arguments and results travel as JSON. */
export type Handlers = Readonly<Record<string, (argument: never) => unknown>>;

type Argument<Handler> = Handler extends (argument: infer Given) => unknown ? Given : never;
type Result<Handler> = Handler extends (argument: never) => infer Returned ? Awaited<Returned> : never;

interface CallMessage {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}
interface ResultMessage {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

export interface ProcessOptions {
  readonly node?: string;
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly preload?: string | undefined;
}

/** A handler of the called process threw this. */
export class CalledProcessError extends Error {
  override name = 'CalledProcessError';
}

/** A part of a benchmark in a process of its own, so that its CPU time and its delays can be measured separately. */
export class BenchProcess<Of extends Handlers> {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  #last = 0;

  /**
   * @param file its path below `bench`; it calls `handleCalls`
   * @param node the program that runs the file, if not the Node of this process
   * @param command a command line in front of the program, which becomes the program by `exec`
   * @param preload a file below `bench` that is loaded first
   */
  static async start<Of extends Handlers>(
    file: string,
    { node = process.execPath, args = [], command = [], preload }: ProcessOptions = {},
  ): Promise<BenchProcess<Of>> {
    // Another Node may be too old for our loader.
    const loader = node === process.execPath ? [...typescriptArguments] : ['--import', 'tsx'];
    const before = preload === undefined ? [] : ['--import', pathToFileURL(join(folder, preload)).href];
    const [execPath, ...execArgv] = [...command, node, ...loader, ...before];
    const child = fork(join(folder, file), args, {
      execPath: execPath!,
      execArgv,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (first !== 'ready') throw new Error(`bench/${file} ended before it was ready`);
    return new BenchProcess(child);
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', ({ id, result, error }: ResultMessage) => {
      const call = this.#open.get(id);
      this.#open.delete(id);
      if (error === undefined) call?.resolve(result as never);
      else call?.reject(new CalledProcessError(error));
    });
    child.on('exit', (code, signal) => {
      for (const { reject } of this.#open.values()) reject(new Error(`a process ended with ${code ?? signal}`));
      this.#open.clear();
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** @throws {CalledProcessError} */
  call<Name extends keyof Of & string>(name: Name, argument: Argument<Of[Name]>): Promise<Result<Of[Name]>> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#child.send({ id, name, argument } satisfies CallMessage, (error) => {
        if (!error || !this.#open.delete(id)) return;
        reject(new Error('a process has ended', { cause: error }));
      });
    });
  }

  /** Resolves when the process has ended. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}

/** Handles the calls of a `BenchProcess` in its process, and runs `close` when the benchmark ends. */
export function handleCalls(handlers: Handlers, close: () => Promise<void> | void = () => {}): void {
  process.on('message', ({ id, name, argument }: CallMessage) => {
    void (async () => handlers[name]!(argument as never))().then(
      (result) => process.send!({ id, result } satisfies ResultMessage),
      (error: unknown) => process.send!({ id, error: String(error) } satisfies ResultMessage),
    );
  });
  process.on('disconnect', () => void Promise.resolve(close()).finally(() => process.exit(0)));
  process.send!('ready');
}

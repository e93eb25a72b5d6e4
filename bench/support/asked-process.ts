import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { typescriptArguments } from '../../scripts/run-command.js';

/** What a process can be asked, by name. Questions and answers travel as JSON. */
export type Acts = Readonly<Record<string, (question: never) => unknown>>;

type Question<Act> = Act extends (question: infer Asked) => unknown ? Asked : never;
type Answer<Act> = Act extends (question: never) => infer Said ? Awaited<Said> : never;

interface Asked {
  readonly id: number;
  readonly name: string;
  readonly question: unknown;
}
interface Said {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

/** The process was asked, and what it was to do failed there. */
export class AskedError extends Error {
  override name = 'AskedError';
}

/** A part of a benchmark in a process of its own, so that what it costs and how it waits are its own. */
export class AskedProcess<Of extends Acts> {
  readonly #child: ChildProcess;
  readonly #open = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  #last = 0;

  /**
   * @param file of `bench/support`; it calls `answerQuestions`
   * @param node the program to run it with, in place of our own
   */
  static async start<Of extends Acts>(
    file: string,
    { node = process.execPath, args = [] }: { node?: string; args?: readonly string[] } = {},
  ): Promise<AskedProcess<Of>> {
    const child = fork(join(import.meta.dirname, file), args, {
      execPath: node,
      execArgv: [...typescriptArguments],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (first !== 'ready') throw new Error(`${file} ended before it began`);
    return new AskedProcess(child);
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', ({ id, answer, error }: Said) => {
      const asked = this.#open.get(id);
      this.#open.delete(id);
      if (error === undefined) asked?.resolve(answer as never);
      else asked?.reject(new AskedError(error));
    });
    child.on('exit', (code, signal) => {
      for (const { reject } of this.#open.values()) reject(new Error(`a process ended with ${code ?? signal}`));
      this.#open.clear();
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  ask<Name extends keyof Of & string>(name: Name, question: Question<Of[Name]>): Promise<Answer<Of[Name]>> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#child.send({ id, name, question } satisfies Asked);
    });
  }

  /** Done when it has ended. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}

/** The other half, for the process itself. `close` is called when nobody will ask any more. */
export function answerQuestions(acts: Acts, close: () => Promise<void> | void = () => {}): void {
  process.on('message', ({ id, name, question }: Asked) => {
    void (async () => acts[name]!(question as never))().then(
      (answer) => process.send!({ id, answer } satisfies Said),
      (error: unknown) => process.send!({ id, error: String(error) } satisfies Said),
    );
  });
  process.on('disconnect', () => void Promise.resolve(close()).finally(() => process.exit(0)));
  process.send!('ready');
}

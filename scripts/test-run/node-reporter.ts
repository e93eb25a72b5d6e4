import { relative } from 'node:path';
import { inspect } from 'node:util';
import { root } from '../run-command.ts';
import { lackIn } from '../tools.ts';
import { recordLine, recordOf, stepLine } from './record.ts';

/** Of a test or a suite that begins or has ended. Other events have other data. */
interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    readonly file?: string;
    readonly nesting?: number;
    readonly skip?: string | boolean;
    readonly details?: { readonly duration_ms?: number; readonly type?: string; readonly error?: unknown };
  };
}

interface Ended {
  readonly nesting: number;
  readonly result: 'passed' | 'failed' | 'not run';
}

/**
 * A reporter of `node:test`: prints a record for each test, or suite, that is in no other, and for each error that nobody
 * has caught and that has failed no test; and what begins and ends.
 */
export default async function* (events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const uncaught = new UncaughtErrors();
  let ended: Ended[] = [];
  let lacks = new Set<string>();
  for await (const { type, data } of events) {
    const { name: test = '', file = '', nesting = 0, details = {}, skip } = data;
    // These come at once. Results wait for those before them.
    if (type === 'test:dequeue') yield stepLine({ step: 'begins', file: relative(root, file), test });
    if (type === 'test:complete') yield stepLine({ step: 'ends', file: relative(root, file), test });
    if (type === 'test:dequeue') uncaught.file = relative(root, file);
    if (type === 'test:diagnostic') yield* uncaught.takeRecords();
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    uncaught.forget(details.error);
    const lack = typeof skip === 'string' ? skip : lackIn(messageOf(details.error));
    if (lack !== undefined) lacks.add(lack);
    if (details.type !== 'suite') {
      const result = lack !== undefined ? 'not run' : type === 'test:pass' && skip === undefined ? 'passed' : 'failed';
      ended.push({ nesting, result });
    } else if (lack !== undefined) {
      // The tool was missing in a hook, before the tests.
      ended = ended.map((one) => (one.nesting > nesting ? { nesting, result: 'not run' } : one));
    } else if (type === 'test:fail' && ended.every((one) => one.nesting <= nesting || one.result === 'passed')) {
      // A hook failed after the tests.
      ended.push({ nesting, result: 'failed' });
    }
    if (nesting > 0) continue;
    const count = (result: Ended['result']): number => ended.filter((one) => one.result === result).length;
    yield recordLine({
      file: relative(root, file),
      passed: count('passed'),
      failed: count('failed'),
      notRun: count('not run'),
      lacks: [...lacks],
      seconds: (details.duration_ms ?? 0) / 1000,
    });
    [ended, lacks] = [[], new Set()];
    yield* uncaught.takeRecords();
  }
  uncaught.end();
}

/** Errors that nobody has caught. They fail the file that runs. */
class UncaughtErrors {
  /** The file that runs. */
  file = '';
  readonly #files = new Map<unknown, string>();
  readonly #onError = (error: unknown): void => {
    process.exitCode = 1;
    this.#files.set(error, this.file);
    // At once: a test may wait for what does not come any more.
    process.stderr.write(`In ${this.file}, nobody has caught: ${inspect(error)}\n`);
  };

  constructor() {
    process.on('uncaughtException', this.#onError).on('unhandledRejection', this.#onError);
  }

  /** Leaves out the error of a test that has failed for it. */
  forget(error: unknown): void {
    this.#files.delete(error);
    if (error instanceof Error) this.#files.delete(error.cause);
  }

  takeRecords(): readonly string[] {
    const files = [...this.#files.values()];
    this.#files.clear();
    return files.map((file) => recordLine(recordOf(file, false, 0, '')));
  }

  end(): void {
    process.off('uncaughtException', this.#onError).off('unhandledRejection', this.#onError);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${messageOf(error.cause)}` : String(error ?? '');
}

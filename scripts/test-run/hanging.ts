import type { TestStep } from './record.ts';
import type { Task } from './schedule.ts';
import { descendantsOf } from './tree-cpu.ts';

/** Longer than the limits of the runners for a test and for what is around it, which name the test. */
const QUIET_MS = 600_000;
/** How many times as long as on an idle machine a job may take that says nothing meanwhile. */
const TIMES = 10;

/** How long a job may go on although nothing in it begins or ends, in ms. Its other output does not count: a server may log for ever. */
export const quietLimitMs = ({ files, cost }: Task & { readonly files?: readonly string[] }): number =>
  (files?.length ?? 1) > 1 ? QUIET_MS : Math.max(QUIET_MS, TIMES * cost.seconds * 1_000);

/** Calls once, when there was no news for a time. */
export class Quiet {
  readonly #limitMs: number;
  readonly #onQuiet: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, onQuiet: () => void) {
    this.#limitMs = limitMs;
    this.#onQuiet = onQuiet;
    this.news();
  }

  news(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onQuiet, this.#limitMs);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** What runs, one file a line: a suite before its test. */
export function runningText(steps: readonly TestStep[]): string {
  const files = Map.groupBy(steps, ({ file }) => file);
  const lines = [...files].map(([file, own]) =>
    [file, ...own.flatMap(({ test }) => (test === '' ? [] : test))].join(' › '),
  );
  return lines.length === 0 ? 'No test of it was running' : `It was running:\n${lines.join('\n')}`;
}

/** Ends a process and all that it has started, also what is in a group of its own or stands still. */
export function endTree(pid: number): void {
  for (const one of descendantsOf(pid)) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

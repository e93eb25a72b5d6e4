import { readFileSync } from 'node:fs';
import { descendantsOf } from './tree-cpu.ts';

/**
 * What is wrong when a browser stops for ever by a fault of its own. It is no result of a test: the file runs once more,
 * and the summary says so.
 */
export class StandstillError extends Error {
  override name = 'StandstillError';

  constructor(browser: string) {
    super(`${browser} stands still: its page answers no more, and its main thread waits for another of its threads`);
  }
}

/** Whether these messages of errors say that a browser stands still. */
export const isStandstill = (errors: string): boolean => / stands still: its page answers no more/.test(errors);

/** What the main thread of a process has done, as Linux says it (proc(5)). */
export interface Activity {
  readonly pid: number;
  /** R runs or waits for a core, S sleeps. */
  readonly state: string;
  /** For how long it has run, in ns. */
  readonly ran: string;
}

/** Whether none of these main threads has run, or waited for a core, between two looks. */
export const haveSlept = (before: readonly Activity[], now: readonly Activity[]): boolean =>
  before.length > 0 &&
  before.length === now.length &&
  now.every((one, at) => {
    const { pid, ran, state } = before[at]!;
    return one.pid === pid && one.ran === ran && [state, one.state].every((both) => both === 'S');
  });

/** The main threads of the processes with this name that a process has started. None where there is no /proc. */
export function activityOf(pid: number, name: string): Activity[] {
  return descendantsOf(pid).flatMap((one) => {
    try {
      const stat = readFileSync(`/proc/${one}/stat`, 'latin1');
      const [, program, state = ''] = /^\d+ \((.*)\) (\w) /s.exec(stat) ?? [];
      if (program !== name) return [];
      const [ran = ''] = readFileSync(`/proc/${one}/schedstat`, 'latin1').split(' ');
      return [{ pid: one, state, ran }];
    } catch {
      // It has ended.
      return [];
    }
  });
}

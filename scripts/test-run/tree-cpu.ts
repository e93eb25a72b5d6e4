import { readdirSync, readFileSync } from 'node:fs';

/** Of a line of /proc/PID/stat (proc(5)). Linux counts CPU time in hundredths of a second. */
interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  readonly seconds: number;
  /** Another process with the same number has begun at another time. */
  readonly started: string;
}

/**
 * CPU time of a process and of all that it has started, as seen from time to time. A parent counts only those for which
 * it waits, and browsers do not wait for their processes. It stays 0 where there is no /proc.
 */
export class TreeCpu {
  readonly #known = new Map<number, ProcessTimes>();
  /** Of processes that have ended, as seen last. */
  #ended = 0;

  constructor(pid: number) {
    this.#known.set(pid, { pid, parent: 0, seconds: 0, started: '' });
  }

  get seconds(): number {
    return [...this.#known.values()].reduce((total, { seconds }) => total + seconds, this.#ended);
  }

  /** @param processes all that run now */
  sample(processes: readonly ProcessTimes[] = runningProcesses()): void {
    const now = new Map(processes.map((process) => [process.pid, process]));
    for (const [pid, before] of this.#known) {
      if (before.started === '' || now.get(pid)?.started === before.started) continue;
      this.#known.delete(pid);
      this.#ended += before.seconds;
    }
    // A parent has a smaller number, except when the numbers begin anew: then it is found the next time.
    for (const process of processes.toSorted((a, b) => a.pid - b.pid)) {
      if (this.#known.has(process.pid) || this.#known.has(process.parent)) this.#known.set(process.pid, process);
    }
  }
}

/** All processes that run now. None where there is no /proc. */
export function runningProcesses(): ProcessTimes[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? timesOf(Number(name)) : []));
  } catch {
    return [];
  }
}

/** A process and all that it has started, the parents first. */
export function descendantsOf(pid: number, processes: readonly ProcessTimes[] = runningProcesses()): number[] {
  const children = Map.groupBy(processes, ({ parent }) => parent);
  const found = [pid];
  for (const one of found) found.push(...(children.get(one) ?? []).map((child) => child.pid));
  return found;
}

function timesOf(pid: number): ProcessTimes[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program is in parentheses, and may have any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const seconds = (Number(fields[11]) + Number(fields[12])) / 100;
    return [{ pid, parent: Number(fields[1]), seconds, started: fields[19] ?? '' }];
  } catch {
    // It has ended.
    return [];
  }
}

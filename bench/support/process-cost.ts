import { readFile } from 'node:fs/promises';

/** What a process has cost so far, whatever it is. Linux tells; elsewhere this rejects. */
export interface ProcessCost {
  /** User and system together, in µs, to 10 ms. */
  readonly cpuMicros: number;
  readonly residentBytes: number;
}

/** `proc(5)`: times are in hundredths of a second on every Linux that Node runs on. */
const MICROS_PER_TICK = 10_000;

export async function processCost(pid: number): Promise<ProcessCost> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]).catch((cause: unknown) => {
    throw new Error('this benchmark reads /proc and runs on Linux alone', { cause });
  });
  // The name comes in brackets and may hold spaces; user time is the 12th field after it, system time the next.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const residentKilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
  return {
    cpuMicros: (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK,
    residentBytes: residentKilobytes * 1024,
  };
}

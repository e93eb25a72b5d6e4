import { readdir, readFile } from 'node:fs/promises';

/** The CPU time and the memory of processes and all their descendants. */
export interface ProcessCost {
  /** User and system time of all threads that are running. Threads that have ended are missing. */
  readonly cpuMicros: number;
  readonly residentBytes: number;
  /** As `residentBytes`, with what the processes share counted once, such as the program of Node. */
  readonly memoryBytes: number;
}

/** What one process takes, in bytes. */
interface OwnCost extends Omit<ProcessCost, 'memoryBytes'> {
  readonly privateBytes: number;
}

/**
 * Reads `proc(5)`. Leaves out the TypeScript compiler of `tsx`.
 * @param roots processes that do not descend from each other; together they count as one
 * @throws {Error} on systems other than Linux
 */
export async function processCost(...roots: number[]): Promise<ProcessCost> {
  const pids = await processTree(roots).catch((cause: unknown) => {
    throw new Error('this benchmark reads /proc and runs only on Linux', { cause });
  });
  const costs = await Promise.all(pids.map(ownCost));
  return {
    cpuMicros: costs.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0),
    residentBytes: costs.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    memoryBytes:
      costs.reduce((sum, { privateBytes }) => sum + privateBytes, 0) +
      Math.max(...costs.map(({ residentBytes, privateBytes }) => residentBytes - privateBytes)),
  };
}

/** The process that `tsx` starts to compile TypeScript, and keeps running. */
const COMPILER = 'esbuild';

async function processTree(roots: readonly number[]): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The name is in brackets and may contain spaces. The state and the parent follow it.
    const nameEnd = stat.lastIndexOf(')');
    if (stat.slice(stat.indexOf('(') + 1, nameEnd) === COMPILER) continue;
    parents.set(Number(name), Number(stat.slice(nameEnd + 2).split(' ')[1]));
  }
  const tree = [...roots];
  for (const member of tree) {
    for (const [pid, parent] of parents) if (parent === member) tree.push(pid);
  }
  return tree;
}

async function ownCost(pid: number): Promise<OwnCost> {
  const [threads, memory] = await Promise.all([
    readdir(`/proc/${pid}/task`),
    readFile(`/proc/${pid}/smaps_rollup`, 'utf8'),
  ]);
  // `schedstat` counts in nanoseconds, `stat` in hundredths of a second.
  const times = await Promise.all(
    threads.map(async (thread) => {
      const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
      return Number.parseInt(text, 10) / 1_000;
    }),
  );
  const bytesOf = (name: string): number =>
    Number(new RegExp(String.raw`^${name}:\s+(\d+)`, 'm').exec(memory)?.[1]) * 1024;
  return {
    cpuMicros: times.reduce((sum, time) => sum + time, 0),
    residentBytes: bytesOf('Rss'),
    privateBytes: bytesOf('Private_Clean') + bytesOf('Private_Dirty'),
  };
}

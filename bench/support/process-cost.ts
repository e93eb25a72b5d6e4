import { readdir, readFile } from 'node:fs/promises';

/** The CPU time and the memory of a process and all its descendants. */
export interface ProcessCost {
  /** User and system time of all threads that are running. Threads that have ended are missing. */
  readonly cpuMicros: number;
  readonly residentBytes: number;
}

/** Reads `proc(5)`. Leaves out the TypeScript compiler of `tsx`. @throws {Error} on systems other than Linux */
export async function processCost(pid: number): Promise<ProcessCost> {
  const pids = await processTree(pid).catch((cause: unknown) => {
    throw new Error('this benchmark reads /proc and runs only on Linux', { cause });
  });
  const costs = await Promise.all(pids.map(ownCost));
  return {
    cpuMicros: costs.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0),
    residentBytes: costs.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
  };
}

/** The process that `tsx` starts to compile TypeScript, and keeps running. */
const COMPILER = 'esbuild';

async function processTree(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The name is in brackets and may contain spaces. The state and the parent follow it.
    const nameEnd = stat.lastIndexOf(')');
    if (stat.slice(stat.indexOf('(') + 1, nameEnd) === COMPILER) continue;
    parents.set(Number(name), Number(stat.slice(nameEnd + 2).split(' ')[1]));
  }
  const tree = [root];
  for (const member of tree) {
    for (const [pid, parent] of parents) if (parent === member) tree.push(pid);
  }
  return tree;
}

async function ownCost(pid: number): Promise<ProcessCost> {
  const [threads, status] = await Promise.all([readdir(`/proc/${pid}/task`), readFile(`/proc/${pid}/status`, 'utf8')]);
  // `schedstat` counts in nanoseconds, `stat` in hundredths of a second.
  const times = await Promise.all(
    threads.map(async (thread) => {
      const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
      return Number.parseInt(text, 10) / 1_000;
    }),
  );
  const residentKilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
  return { cpuMicros: times.reduce((sum, time) => sum + time, 0), residentBytes: residentKilobytes * 1024 };
}

import { readdir, readFile } from 'node:fs/promises';

/** What a process and its descendants have cost so far, whatever they are. */
export interface ProcessCost {
  /** User and system together, of all threads that are there. */
  readonly cpuMicros: number;
  readonly residentBytes: number;
}

/** Reads `proc(5)`; what loads TypeScript for it is left out. @throws {Error} on anything but Linux */
export async function processCost(pid: number): Promise<ProcessCost> {
  const pids = await processTree(pid).catch((cause: unknown) => {
    throw new Error('this benchmark reads /proc and runs on Linux alone', { cause });
  });
  const costs = await Promise.all(pids.map(ownCost));
  return {
    cpuMicros: costs.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0),
    residentBytes: costs.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
  };
}

/** What turns TypeScript into JavaScript for whoever loads it first, and lives on beside it. */
const LOADER = 'esbuild';

async function processTree(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The name comes in brackets and may hold spaces; the state and the parent follow it.
    const nameEnd = stat.lastIndexOf(')');
    if (stat.slice(stat.indexOf('(') + 1, nameEnd) === LOADER) continue;
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
  // Of a thread, to the nanosecond; `stat` counts in hundredths of a second.
  const times = await Promise.all(
    threads.map(async (thread) => {
      const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
      return Number.parseInt(text, 10) / 1_000;
    }),
  );
  const residentKilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
  return { cpuMicros: times.reduce((sum, time) => sum + time, 0), residentBytes: residentKilobytes * 1024 };
}

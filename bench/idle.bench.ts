import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../scripts/build.js';
import { startServer } from '../test/support/server-process.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { startHttpProcess } from './http/http-process.js';
import { processCost } from './support/process-cost.js';
import { progress } from './support/progress.js';

interface Sizes {
  readonly starts: number;
  /** Until V8 has collected the garbage of the start. */
  readonly settleMs: number;
  readonly measureMs: number;
}
const FULL: Sizes = { starts: 3, settleMs: 20_000, measureMs: 30_000 };
const QUICK: Sizes = { starts: 1, settleMs: 2_000, measureMs: 3_000 };

const MAX_CPU_PERCENT = 0.7;
const MAX_MEGABYTES = 180;

/** What a server costs while nobody uses it. */
interface Idle {
  readonly cpuPercent: number;
  readonly megabytes: number;
  readonly residentMegabytes: number;
}

/**
 * Measures a server that nobody calls, with a media process for each processor. What its processes share is counted
 * once. It is compared with a bare Express server beside as many processes of Node as the server has for media, all of
 * which do nothing.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const sizes = quick ? QUICK : FULL;
  const workers = availableParallelism();
  const ours: Idle[] = [];
  for (let start = 1; start <= sizes.starts; start += 1) {
    progress(`start ${start} of ${sizes.starts}`);
    const server = await startServer({ MEDIA_WORKERS: String(workers) });
    try {
      ours.push(await idleCost([server.pid], sizes));
    } finally {
      await server.stop();
    }
  }
  progress('the bare processes');
  const bare = await bareCost(workers, sizes);
  const median = (key: keyof Idle): number =>
    ours.map((each) => each[key]).toSorted((a, b) => a - b)[ours.length >> 1]!;
  return {
    name: 'idle',
    ratio: median('megabytes') / bare.megabytes,
    against: `the memory of a bare Express 5 server and ${workers} processes of Node that do nothing`,
    also: [
      {
        ratio: median('megabytes') / MAX_MEGABYTES,
        against: `the memory of an idle server, and ${MAX_MEGABYTES} MB`,
        target: { most: 1 },
      },
      {
        ratio: median('cpuPercent') / MAX_CPU_PERCENT,
        against: `the CPU time of an idle server, and ${MAX_CPU_PERCENT} % of a core`,
        target: { most: 1 },
      },
    ],
    figures: {
      cpuPercent: median('cpuPercent'),
      megabytes: median('megabytes'),
      mostMegabytes: Math.max(...ours.map(({ megabytes }) => megabytes)),
      residentMegabytes: median('residentMegabytes'),
      bareMegabytes: bare.megabytes,
      bareResidentMegabytes: bare.residentMegabytes,
    },
  };
}

async function idleCost(pids: readonly number[], { settleMs, measureMs }: Sizes): Promise<Idle> {
  await sleep(settleMs);
  const before = await processCost(...pids);
  await sleep(measureMs);
  const after = await processCost(...pids);
  return {
    cpuPercent: (after.cpuMicros - before.cpuMicros) / (measureMs * 10),
    megabytes: after.memoryBytes / 1e6,
    residentMegabytes: after.residentBytes / 1e6,
  };
}

async function bareCost(workers: number, sizes: Sizes): Promise<Idle> {
  const express = await startHttpProcess('bare-echo.ts');
  const children = Array.from({ length: workers }, () =>
    fork(join(import.meta.dirname, 'support/idle-process.js'), {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  try {
    return await idleCost([express.pid, ...children.map(({ pid }) => pid!)], sizes);
  } finally {
    for (const child of children) child.disconnect();
    await Promise.all(children.map((child) => once(child, 'exit')));
    await express.stop();
  }
}

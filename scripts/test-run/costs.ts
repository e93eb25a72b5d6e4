import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run-command.ts';
import type { Job } from './job.ts';
import type { TestRecord } from './record.ts';
import type { JobResult } from './run-jobs.ts';
import type { Cost } from './schedule.ts';

/** Seconds and CPU seconds of each test file, and of each check. `npm test -- --measure` writes it. */
const FILE = join(root, 'test/costs.json');
/** Of an unknown file that has a process of its own, or a browser. */
const USUAL: Cost = { seconds: 5, cpu: 3 };
/** Of an unknown file that shares its process with others. */
const USUAL_SHARED: Cost = { seconds: 0.3, cpu: 0.3 };

export type Costs = ReadonlyMap<string, Cost>;

export function readCosts(): Costs {
  const stored = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, readonly [number, number]>;
  return new Map(Object.entries(stored).map(([name, [seconds, cpu]]) => [name, { seconds, cpu }]));
}

export const secondsOf = (costs: Costs, file: string): number => (costs.get(file) ?? USUAL_SHARED).seconds;

/** What a job takes. That of several files is computed from theirs. */
export function costOf(costs: Costs, { name, files = [], atOnce }: Job): Cost {
  if (files.length < 2 && atOnce === undefined) return costs.get(name) ?? USUAL;
  const all = files.map((file) => costs.get(file) ?? (atOnce === undefined ? USUAL_SHARED : USUAL));
  const sum = (part: keyof Cost): number => all.reduce((total, one) => total + one[part], 0);
  return { seconds: sum('seconds') / (atOnce ?? 1), cpu: sum('cpu') };
}

/** What a run has measured. Of a file that several stages run, the first job counts. */
export function measuredCosts(results: readonly JobResult[]): Costs {
  const costs = new Map<string, Cost>();
  for (const result of results) {
    if (result.failed > 0) continue;
    for (const [name, cost] of costsOfParts(result)) if (!costs.has(name)) costs.set(name, cost);
  }
  return costs;
}

/** What each file of a job has taken. What they have taken together is divided by the seconds of their tests. */
function costsOfParts({ job, seconds, cpu, records }: JobResult): ReadonlyMap<string, Cost> {
  if (!job.files || (job.files.length === 1 && job.atOnce === undefined))
    return new Map([[job.name, { seconds, cpu }]]);
  const parts = Map.groupBy(records, ({ file }) => file);
  const sum = (some: readonly TestRecord[]): number => some.reduce((total, one) => total + one.seconds, 0);
  const all = sum(records) || 1;
  const together = seconds * (job.atOnce ?? 1);
  return new Map(
    [...parts].map(([file, some]) => {
      const part = sum(some) / all;
      return [file, { seconds: part * together, cpu: part * cpu }];
    }),
  );
}

/** Stores new costs. Keeps the others, except those of test files that no longer exist. */
export function writeCosts(measured: Costs): void {
  const lines = [...new Map([...readCosts(), ...measured])]
    .filter(([name]) => !name.includes('/') || existsSync(join(root, name)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { seconds, cpu }]) => `  ${JSON.stringify(name)}: [${rounded(seconds)}, ${rounded(cpu)}]`);
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
}

const rounded = (seconds: number): number => Number(seconds.toPrecision(2));

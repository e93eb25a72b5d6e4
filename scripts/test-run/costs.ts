import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run-command.ts';
import type { Job } from './job.ts';
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
export function costOf(costs: Costs, { name, files = [], load }: Job): Cost {
  if (files.length < 2 && load === undefined) return costs.get(name) ?? USUAL;
  const usual = load === undefined ? USUAL_SHARED : USUAL;
  const cpu = files.reduce((total, file) => total + (costs.get(file) ?? usual).seconds, 0);
  return { seconds: cpu / (load ?? 1), cpu };
}

/** What a run has measured. Of a file that several stages run, the first counts. */
export function measuredCosts(results: readonly JobResult[]): Costs {
  const costs = new Map<string, Cost>();
  const add = (name: string, { seconds, cpu }: Cost): void => {
    const { seconds: before = 0, cpu: cpuBefore = 0 } = costs.get(name) ?? {};
    costs.set(name, { seconds: before + seconds, cpu: cpuBefore + cpu });
  };
  for (const { job, seconds, cpu, failed, records } of results) {
    if (failed > 0 || job.stage === 'firefox') continue;
    if (!job.files || (job.files.length === 1 && job.load === undefined)) add(job.name, { seconds, cpu });
    else for (const record of records) add(record.file, { seconds: record.seconds, cpu: record.seconds });
  }
  return costs;
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

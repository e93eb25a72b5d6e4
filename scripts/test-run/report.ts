import { stages } from '../test-stages.ts';
import { failuresInOutput } from './failures-in-output.ts';
import type { TestRecord } from './record.ts';
import type { JobResult, ScheduledJob, Watcher } from './run-jobs.ts';
import { commandOf } from './selection.ts';

export interface StageResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  readonly lacks: readonly string[];
  /** Of each test that the browser cannot run, the capability that it lacks. */
  readonly incapable: readonly string[];
  readonly seconds: number;
  readonly cpu: number;
}

/** Which output of a job is shown: all of it while it runs, all of it at its end, or only that of failed ones. */
export type Shown = 'live' | 'each' | 'failed';

/** Prints how a run goes on. */
export class Report implements Watcher {
  readonly #shown: Shown;
  readonly #started = performance.now();
  readonly #failed = new Set<string>();

  constructor(shown: Shown) {
    this.#shown = shown;
  }

  started({ stage, name, files }: ScheduledJob): void {
    if (files?.length !== 1) this.#say(`  ${titleOf(stage, name)} begins`);
  }

  printed(text: string): void {
    if (this.#shown === 'live') process.stdout.write(text);
  }

  /** Says at once that a file has a failed test, because its job may run for minutes. */
  reported({ stage, files }: ScheduledJob, { file, failed }: TestRecord): void {
    const command = commandOf(stages, stage, files?.includes(file) ? [file] : []);
    if (failed === 0 || files?.length === 1 || this.#failed.has(command)) return;
    this.#failed.add(command);
    this.#say(`✗ ${file} has a failed test; ${command}`);
  }

  ended({ job: { stage, name }, passed, failed, notRun, failedFiles, output, seconds, cpu }: JobResult): void {
    if (this.#shown === 'each') process.stdout.write(`\n${output}`);
    const tests = `${passed} passed, ${failed} failed${notRun > 0 ? `, ${notRun} not run` : ''}`;
    const mark = failed > 0 ? '✗' : '✓';
    this.#say(`${mark} ${titleOf(stage, name)}: ${tests} (${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU)`);
    if (failed === 0) return;
    if (this.#shown === 'failed') process.stdout.write(`${failuresInOutput(output)}\n`);
    process.stdout.write(`run again: ${commandOf(stages, stage, failedFiles)}\n\n`);
  }

  /** Prints what failed once more, because CI keeps only the end of a long output. The last line has the sums. */
  summary(jobs: readonly JobResult[], results: readonly StageResult[]): void {
    for (const { job, failed, failedFiles, output } of this.#shown === 'live' ? [] : jobs) {
      if (failed === 0) continue;
      process.stdout.write(`\n── failed in ${titleOf(job.stage, job.name)}\n${failuresInOutput(output)}\n`);
      process.stdout.write(`run again: ${commandOf(stages, job.stage, failedFiles)}\n`);
    }
    process.stdout.write('\n── summary ─────────────────────────────────────────────────────\n');
    for (const { name, passed, failed, seconds, cpu } of results) {
      const mark = failed === 0 ? '✓' : '✗';
      const took = `${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU`;
      process.stdout.write(`${mark} ${name.padEnd(13)} ${passed} passed, ${failed} failed  (${took})\n`);
    }
    process.stdout.write(`all in ${this.#minutes()} min\n`);
    const sum = (count: 'passed' | 'failed' | 'notRun'): number =>
      results.reduce((total, one) => total + one[count], 0);
    for (const lack of new Set(results.flatMap(({ lacks }) => lacks))) process.stdout.write(`not run: ${lack}\n`);
    for (const { job, stoodStill } of jobs) {
      if (stoodStill.length === 0) continue;
      process.stdout.write(
        `run twice, because the browser of ${job.name} stood still (docs/browsers.md): ${stoodStill.join(', ')}\n`,
      );
    }
    for (const { name, incapable } of results) {
      const counts = Map.groupBy(incapable, (capability) => capability);
      const each = [...counts].map(([capability, tests]) => `${tests.length} ${capability}`).join(', ');
      if (each) process.stdout.write(`not possible in ${name} (docs/browsers.md): ${each}\n`);
    }
    if (sum('notRun') > 0) process.stdout.write(`${sum('notRun')} not run\n`);
    process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
  }

  #say(what: string): void {
    if (this.#shown !== 'live') process.stdout.write(`${this.#minutes().padStart(5)} min ${what}\n`);
  }

  #minutes(): string {
    return ((performance.now() - this.#started) / 60_000).toFixed(1);
  }
}

const titleOf = (stage: string, name: string): string => (name.startsWith(stage) ? name : `${stage} ${name}`);

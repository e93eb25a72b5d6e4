import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { root } from '../run-command.ts';
import { endTree, Quiet, quietLimitMs, runningText } from './hanging.ts';
import type { Job } from './job.ts';
import { RecordReader, type TestRecord, type TestStep } from './record.ts';
import { longestFirst, nextTask, type Task } from './schedule.ts';
import { TreeCpu } from './tree-cpu.ts';

export type ScheduledJob = Job & Task;

export interface JobResult {
  readonly job: ScheduledJob;
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  /** The files with tests that have no result, because their browser stood still. They run once more. */
  readonly stoodStill: readonly string[];
  readonly lacks: readonly string[];
  readonly failedFiles: readonly string[];
  readonly records: readonly TestRecord[];
  readonly output: string;
  readonly seconds: number;
  /** Of all its processes. */
  readonly cpu: number;
}

export interface Watcher {
  started?(job: ScheduledJob): void;
  /** Text that a job prints. */
  printed?(text: string): void;
  reported?(job: ScheduledJob, record: TestRecord): void;
  ended(result: JobResult): void;
}

/** All tests take some 17 minutes on two cores. What runs after this time is ended, and has failed. */
const HANGING_MIN = 50;
/** How long the output of an ended command is waited for: a process that it has left behind can keep the pipe open. */
const LAST_OUTPUT_MS = 5_000;
/** How often the CPU time of browsers is read. */
const SAMPLE_MS = 1_000;
/**
 * Runs a command, and then writes its exit code, and its CPU time with that of the processes that it has started, to the
 * fourth stream. Its output goes through a pipe of the shell: Node loses the end of what it writes to one of Node's.
 */
const TIMED = '{ "$@" 3>&-; echo "$?" >&3; times >&3; } 2>&1 | cat 3>&-';
const ENDED = /^(\d+)\n.*\n(\d+)m([\d.,]+)s (\d+)m([\d.,]+)s\n/;

/**
 * Runs jobs beside each other, as many as keep the cores busy. Those that wait for a stage that failed are left out.
 * @param quietMs how long a job may go on without news. Then it hangs: it is ended and has failed, and the others go on
 */
export async function runJobs(
  jobs: readonly ScheduledJob[],
  watcher: Watcher,
  quietMs: (job: ScheduledJob) => number = quietLimitMs,
): Promise<JobResult[]> {
  const waiting = longestFirst(jobs);
  const running = new Map<ScheduledJob, Promise<JobResult>>();
  const results: JobResult[] = [];
  const stop = new AbortController();
  const hanging = setTimeout(
    () => stop.abort(`not all tests had ended after ${HANGING_MIN} minutes`),
    HANGING_MIN * 60_000,
  );
  const interrupt = (signal: NodeJS.Signals): void => stop.abort(`of ${signal}`);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  const end = (result: JobResult): void => {
    results.push(result);
    watcher.ended(result);
  };
  while (waiting.length + running.size > 0) {
    for (let job = next(); job; job = next()) {
      waiting.splice(waiting.indexOf(job), 1);
      const failed = results.find((result) => result.failed > 0 && job!.after.includes(result.job.stage));
      if (stop.signal.aborted || failed) {
        const reason = failed ? `${failed.job.stage} failed` : String(stop.signal.reason);
        end({ ...resultOf(job, false, [], []), output: `left out, because ${reason}\n` });
        continue;
      }
      watcher.started?.(job);
      running.set(job, runJob(job, watcher, { stop: stop.signal, quietMs: quietMs(job) }));
    }
    if (running.size === 0) continue;
    const result = await Promise.race(running.values());
    running.delete(result.job);
    end(result);
    if (result.stoodStill.length > 0) waiting.unshift(againOf(result));
  }
  clearTimeout(hanging);
  for (const signal of signals) process.removeListener(signal, interrupt);
  return results;

  function next(): ScheduledJob | undefined {
    return nextTask(waiting, [...running.keys()], stop.signal.aborted ? Infinity : availableParallelism());
  }
}

/** The same job for the files whose browser stood still. If it does so once more, they have failed. */
function againOf({ job, stoodStill }: JobResult): ScheduledJob {
  const { command, files = stoodStill } = job.again!(stoodStill);
  const { again: _, ...last } = job;
  return { ...last, command, files };
}

interface Limits {
  readonly stop: AbortSignal;
  readonly quietMs: number;
}

async function runJob(job: ScheduledJob, watcher: Watcher, { stop, quietMs }: Limits): Promise<JobResult> {
  const started = performance.now();
  const child = spawn('sh', ['-c', TIMED, 'sh', ...job.command], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    // A group of its own, so that what the job has started can be ended with it.
    detached: true,
  });
  const reader = new RecordReader();
  let output = '';
  const print = (text: string): void => {
    output += text;
    watcher.printed?.(text);
  };
  child.stdout!.setEncoding('utf8').on('data', (piece: string) => {
    const known = reader.records.length;
    const before = reader.progress;
    print(reader.read(piece));
    if (reader.progress > before) quiet.news();
    for (const record of reader.records.slice(known)) watcher.reported?.(job, record);
  });
  const endGroup = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // All its processes have ended.
    }
  };
  let hung: readonly TestStep[] = [];
  const endFor = (reason: string): void => {
    hung = reader.running;
    print(`\n${job.name} was ended, because ${reason}. ${runningText(hung)}\n`);
    endTree(child.pid!);
    endGroup();
  };
  const quiet = new Quiet(quietMs, () => endFor(`nothing in it began or ended for ${minutes(quietMs)} minutes`));
  const abort = (): void => endFor(String(stop.reason));
  stop.addEventListener('abort', abort);
  process.once('exit', endGroup);
  const tree = new TreeCpu(child.pid!);
  const sampling = job.atOnce === undefined ? undefined : setInterval(() => tree.sample(), SAMPLE_MS);
  let ended = '';
  let cut: NodeJS.Timeout | undefined;
  (child.stdio[3] as Readable).setEncoding('utf8').on('data', (text: string) => {
    ended += text;
    cut ??= setTimeout(endGroup, LAST_OUTPUT_MS);
  });
  await once(child, 'close');
  quiet.end();
  clearTimeout(cut);
  clearInterval(sampling);
  stop.removeEventListener('abort', abort);
  process.removeListener('exit', endGroup);
  endGroup();
  print(reader.end());
  const [, code, ...times] = ENDED.exec(ended) ?? [];
  // More than 128: a signal ended the command.
  if (code !== undefined && code !== '0') print(`${job.name} ended with code ${code}\n`);
  const seconds = (performance.now() - started) / 1000;
  const result = resultOf(job, code === '0', reader.records, hung);
  return { ...result, output, seconds, cpu: Math.max(tree.seconds, cpuOf(times)) };
}

const minutes = (ms: number): number => Math.round(ms / 6_000) / 10;

/**
 * Counts a job that failed without a failed test, or ran no test, as one failure.
 * @param hung what was running when it was ended
 */
function resultOf(
  job: ScheduledJob,
  ok: boolean,
  records: readonly TestRecord[],
  hung: readonly TestStep[],
): Omit<JobResult, 'output'> {
  const sum = (count: 'passed' | 'failed' | 'notRun'): number => records.reduce((total, one) => total + one[count], 0);
  const [passed, failedTests, notRun] = job.files ? [sum('passed'), sum('failed'), sum('notRun')] : [Number(ok), 0, 0];
  const still = records.filter(({ standstills = 0 }) => standstills > 0);
  const stoodStill = job.again ? [...new Set(still.map(({ file }) => file))] : [];
  const failed = failedTests + (job.again ? 0 : still.length);
  const isExplained = notRun + stoodStill.length > 0;
  const isUnexplained = failed === 0 && (hung.length > 0 || (!isExplained && (passed === 0 || !ok)));
  return {
    job,
    passed,
    failed: isUnexplained ? 1 : failed,
    notRun,
    stoodStill,
    lacks: records.flatMap(({ lacks }) => lacks),
    failedFiles: isUnexplained || failed > 0 ? failedFilesOf(job, records, hung) : [],
    records,
    seconds: 0,
    cpu: 0,
  };
}

/** The files to run again. None if they are not known: a test may be declared by a helper that several files use. */
function failedFilesOf(
  { files = [] }: ScheduledJob,
  records: readonly TestRecord[],
  hung: readonly TestStep[],
): readonly string[] {
  if (files.length === 1) return files;
  const bad = records.filter((record) => record.failed + (record.standstills ?? 0) > 0);
  const failed = new Set([...bad, ...hung].map(({ file }) => file));
  return [...failed].every((file) => files.includes(file)) ? [...failed] : [];
}

/** @param times minutes and seconds, of the processes themselves and of the system for them */
function cpuOf(times: readonly string[]): number {
  const [minutes = 0, seconds = 0, more = 0, moreSeconds = 0] = times.map((part) => Number(part.replace(',', '.')));
  return (minutes + more) * 60 + seconds + moreSeconds;
}

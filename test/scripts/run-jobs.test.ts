import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { quietLimitMs } from '../../scripts/test-run/hanging.js';
import { recordLine, recordOf, stepLine, type TestStep } from '../../scripts/test-run/record.js';
import { runJobs, type JobResult, type ScheduledJob } from '../../scripts/test-run/run-jobs.js';
import { StandstillError } from '../../scripts/test-run/standstill.js';
import { until } from '../support/media/until.js';

/** A job that runs a script of the shell. */
const aJob = (script: string, job: Partial<ScheduledJob> = {}): ScheduledJob => ({
  name: 'a.test.ts',
  command: ['sh', '-c', script],
  stage: 'server',
  after: [],
  cost: { seconds: 1, cpu: 1 },
  ...job,
});
const FILES = { files: ['a.test.ts'] };
/** Prints the record of a file. */
const printing = (file: string, passed: number, failed: number) =>
  `printf '%s\\n' '${recordLine({ file, passed, failed, notRun: 0, lacks: [], seconds: 1 }).trim()}'`;

/** Prints that a test begins or ends. */
const stepping = (step: TestStep['step'], file: string, test: string) =>
  `printf '%s\\n' '${stepLine({ step, file, test }).trim()}'`;

/** One that has ended may still be in the list, until its parent has asked how. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function run(...jobs: readonly ScheduledJob[]): Promise<JobResult[]> {
  return runJobs(jobs, { ended: () => {} });
}
const countsOf = ({ passed, failed, failedFiles }: JobResult) => [passed, failed, ...failedFiles];

describe('a job', () => {
  it('that is one check passes if its command does', async () => {
    assert.deepEqual((await run(aJob('exit 0'))).map(countsOf), [[1, 0]]);
    assert.deepEqual((await run(aJob('exit 3'))).map(countsOf), [[0, 1]]);
  });

  it('has the tests that its command reports, and the rest of its output', async () => {
    const [result] = await run(aJob(`echo one; ${printing('a.test.ts', 3, 0)}; echo two >&2`, FILES));
    assert.deepEqual([countsOf(result!), result!.output], [[3, 0], 'one\ntwo\n']);
  });

  it('has failed if its command reports no test, or ends with a fault that no test explains', async () => {
    assert.deepEqual((await run(aJob('exit 0', FILES))).map(countsOf), [[0, 1, 'a.test.ts']]);
    const [killed] = await run(aJob(`${printing('a.test.ts', 3, 0)}; kill -9 $$`, FILES));
    assert.deepEqual(countsOf(killed!), [3, 1, 'a.test.ts']);
    assert.match(killed!.output, /^a\.test\.ts ended with code 137$/m);
  });

  it('names its files with failed tests, unless a helper has declared one', async () => {
    const files = ['a.test.ts', 'b.test.ts'];
    const script = `${printing('a.test.ts', 1, 0)}; ${printing('b.test.ts', 1, 2)}; exit 1`;
    assert.deepEqual((await run(aJob(script, { files }))).map(countsOf), [[2, 2, 'b.test.ts']]);
    const byHelper = `${printing('helper.ts', 1, 1)}; exit 1`;
    assert.deepEqual((await run(aJob(byHelper, { files }))).map(countsOf), [[1, 1]]);
    assert.deepEqual((await run(aJob(byHelper, FILES))).map(countsOf), [[1, 1, 'a.test.ts']]);
  });

  it('ends although a process that it has left behind keeps its output open', async () => {
    assert.deepEqual((await run(aJob('sleep 600 & exit 0'))).map(countsOf), [[1, 0]]);
  });

  it('has the CPU time of its processes', async () => {
    const [result] = await run(aJob(`node -e 'while (process.cpuUsage().user < 300_000);'`));
    assert.ok(result!.cpu >= 0.3 && result!.cpu < 5, String(result!.cpu));
  });

  it('is left out if a stage has failed for which it waits', async () => {
    const jobs = [
      aJob('exit 1', { stage: 'build' }),
      aJob('exit 0', { after: ['build'] }),
      aJob('exit 0', { stage: 'lint' }),
    ];
    const results = await run(...jobs);
    const outcomes = jobs.map((job) => results.find((result) => result.job === job)!.failed);
    assert.deepEqual(outcomes, [1, 1, 0]);
    assert.equal(results.find(({ job }) => job === jobs[1])!.output, 'left out, because build failed\n');
  });
});

describe('a job whose browser stands still', () => {
  const stopping = (file: string) =>
    `printf '%s\\n' '${recordLine({ ...recordOf(file, false, 1, new StandstillError('A browser').message) }).trim()}'`;
  const files = ['a.test.ts', 'b.test.ts', 'c.test.ts'];
  /** Its files stand still in the first run; then the script runs. */
  const aBrowser = (script: (some: readonly string[]) => string) =>
    aJob(`${printing('a.test.ts', 3, 0)}; ${stopping('b.test.ts')}; ${stopping('c.test.ts')}; exit 1`, {
      files,
      again: (some) => ({ name: 'a', files: some, command: ['sh', '-c', script(some)] }),
    });

  it('runs these files once more, and has the results of both runs', async () => {
    const results = await run(aBrowser((some) => some.map((file) => printing(file, 2, 0)).join('; ')));
    assert.deepEqual(results.map(countsOf), [
      [3, 0],
      [4, 0],
    ]);
    assert.deepEqual(
      results.map(({ stoodStill }) => stoodStill),
      [['b.test.ts', 'c.test.ts'], []],
    );
  });

  it('has failed if it does so again, and runs no third time', async () => {
    const results = await run(aBrowser(([, second]) => `${printing('b.test.ts', 2, 0)}; ${stopping(second!)}; exit 1`));
    assert.deepEqual(results.map(countsOf), [
      [3, 0],
      [2, 1, 'c.test.ts'],
    ]);
  });

  it('does not run again what has failed besides', async () => {
    const script = `${printing('a.test.ts', 3, 1)}; ${stopping('b.test.ts')}; exit 1`;
    const again = (some: readonly string[]) => ({
      name: 'a',
      files: some,
      command: ['sh', '-c', printing(some.join(), 2, 0)],
    });
    const [first, second, ...more] = await run(aJob(script, { files, again }));
    assert.deepEqual([countsOf(first!).slice(0, 2), countsOf(second!), more.length], [[3, 1], [2, 0], 0]);
  });
});

describe('a job that hangs', () => {
  const QUIET_MS = 2_000;
  const ended = async (...jobs: readonly ScheduledJob[]) => runJobs(jobs, { ended: () => {} }, () => QUIET_MS);

  it('is ended and has failed, with what was running, while another goes on', async () => {
    const script = [
      stepping('begins', 'a.test.ts', 'a suite'),
      stepping('begins', 'a.test.ts', 'a quick test'),
      stepping('ends', 'a.test.ts', 'a quick test'),
      stepping('begins', 'a.test.ts', 'a slow test'),
      // What it prints besides is no news.
      'while :; do echo noise; sleep 0.05; done',
    ].join('; ');
    const jobs = [aJob(script, FILES), aJob('exit 0', { name: 'lint' })];
    const results = await ended(...jobs);
    const [hung, other] = jobs.map((job) => results.find((result) => result.job === job)!);
    assert.deepEqual(
      [countsOf(hung!), countsOf(other!)],
      [
        [0, 1, 'a.test.ts'],
        [1, 0],
      ],
    );
    assert.match(
      hung!.output,
      /\na\.test\.ts was ended, because nothing in it began or ended for 0 minutes\. It was running:\na\.test\.ts › a suite › a slow test\n/,
    );
  });

  it('names those of its files that hung or failed', async () => {
    const files = ['a.test.ts', 'b.test.ts', 'c.test.ts'];
    const script = [
      printing('a.test.ts', 1, 0),
      printing('b.test.ts', 1, 1),
      stepping('begins', 'c.test.ts', 'a test'),
      'sleep 600',
    ].join('; ');
    const [result] = await ended(aJob(script, { files }));
    assert.deepEqual(countsOf(result!), [2, 1, 'b.test.ts', 'c.test.ts']);
  });

  it('leaves no process behind that it has started, also one that stands still in a group of its own', async () => {
    const [result] = await ended(aJob('setsid sh -c \'echo "pid=$$"; kill -STOP $$\'; exit 0'));
    const pid = Number(/pid=(\d+)/.exec(result!.output)![1]);
    await until('it has ended', () => !isRunning(pid));
  });

  it('may be quiet for ten minutes, or for ten times as long as it usually takes if it is one file or check', () => {
    const task = { stage: 'server', after: [], cost: { seconds: 90, cpu: 90 } };
    const minutesOf = (more: object) => quietLimitMs({ ...task, ...more }) / 60_000;
    assert.deepEqual([minutesOf({}), minutesOf({ files: ['a'] }), minutesOf({ files: ['a', 'b'] })], [15, 15, 10]);
    assert.equal(minutesOf({ cost: { seconds: 3, cpu: 3 } }), 10);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { costOf, measuredCosts } from '../../scripts/test-run/costs.js';
import type { Job } from '../../scripts/test-run/job.js';
import type { JobResult } from '../../scripts/test-run/run-jobs.js';

const COSTS = new Map([
  ['a.ts', { seconds: 10, cpu: 4 }],
  ['b.ts', { seconds: 20, cpu: 6 }],
  ['lint', { seconds: 3, cpu: 5 }],
]);
const aJob = (name: string, files?: readonly string[], atOnce?: number): Job => ({
  name,
  command: [],
  ...(files && { files }),
  ...(atOnce !== undefined && { atOnce }),
});
const aRecord = (file: string, seconds: number) => ({
  file,
  seconds,
  passed: 1,
  failed: 0,
  notRun: 0,
  lacks: [],
});
const aResult = (job: Job, records: JobResult['records'] = [], failed = 0): JobResult => ({
  job: { ...job, stage: 'unit', after: [], cost: { seconds: 0, cpu: 0 } },
  passed: 1,
  failed,
  notRun: 0,
  stoodStill: [],
  lacks: [],
  failedFiles: [],
  records,
  output: '',
  seconds: 10,
  cpu: 8,
});

describe('what a job takes', () => {
  it('is known of a check, and of a file that has a process of its own', () => {
    assert.deepEqual(costOf(COSTS, aJob('lint')), { seconds: 3, cpu: 5 });
    assert.deepEqual(costOf(COSTS, aJob('a.ts', ['a.ts'])), { seconds: 10, cpu: 4 });
  });

  it('is the sum of files that share a process', () => {
    assert.deepEqual(costOf(COSTS, aJob('unit 1', ['a.ts', 'b.ts'])), { seconds: 30, cpu: 10 });
  });

  it('is less time and as much CPU of files that run at once', () => {
    assert.deepEqual(costOf(COSTS, aJob('media', ['a.ts', 'b.ts'], 2)), { seconds: 15, cpu: 10 });
  });

  it('is usual for a file that is not known', () => {
    assert.ok(costOf(COSTS, aJob('c.ts', ['c.ts'])).seconds > costOf(COSTS, aJob('unit 1', ['c.ts', 'd.ts'])).seconds);
  });
});

describe('what a run has measured', () => {
  it('is the time of each job with one file, or none', () => {
    const measured = measuredCosts([aResult(aJob('a.ts', ['a.ts']), [aRecord('a.ts', 9)]), aResult(aJob('lint'))]);
    assert.deepEqual(
      [...measured],
      [
        ['a.ts', { seconds: 10, cpu: 8 }],
        ['lint', { seconds: 10, cpu: 8 }],
      ],
    );
  });

  it('is divided among the files of a process by the seconds of their tests', () => {
    const records = [aRecord('a.ts', 1), aRecord('b.ts', 3), aRecord('a.ts', 1)];
    assert.deepEqual(
      [...measuredCosts([aResult(aJob('unit 1', ['a.ts', 'b.ts']), records)])],
      [
        ['a.ts', { seconds: 4, cpu: 3.2 }],
        ['b.ts', { seconds: 6, cpu: 4.8 }],
      ],
    );
  });

  it('is divided among the files that run at once, which take longer, and less together', () => {
    const records = [aRecord('a.ts', 3), aRecord('b.ts', 1)];
    const result = aResult(aJob('media', ['a.ts', 'b.ts'], 2), records);
    const measured = measuredCosts([result]);
    assert.deepEqual(
      [...measured],
      [
        ['a.ts', { seconds: 15, cpu: 6 }],
        ['b.ts', { seconds: 5, cpu: 2 }],
      ],
    );
    assert.deepEqual(costOf(measured, result.job), { seconds: result.seconds, cpu: result.cpu });
  });

  it('is that of the first stage that has run a file', () => {
    const run = (name: string, seconds: number) => ({
      ...aResult(aJob(name, ['a.ts'], 2), [aRecord('a.ts', 1)]),
      seconds,
    });
    const measured = measuredCosts([run('elements', 2), run('firefox', 5)]);
    assert.deepEqual([...measured], [['a.ts', { seconds: 4, cpu: 8 }]]);
  });

  it('has nothing of a job that failed', () => {
    assert.deepEqual([...measuredCosts([aResult(aJob('lint'), [], 1)])], []);
  });
});

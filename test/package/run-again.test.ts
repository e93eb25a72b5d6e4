import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterSecondRun, filesToRunAgain } from '../../scripts/run-again.js';
import type { StageResult } from '../../scripts/run-stages.js';

const aStage = (result: Partial<StageResult> = {}): StageResult => ({
  name: 'server',
  passed: 20,
  failed: 0,
  failedFiles: [],
  seconds: 1,
  ...result,
});
const names = (count: number) => Array.from({ length: count }, (_, index) => `test/${index}.test.ts`);

describe('the files that are run again', () => {
  it('are those with a failed test, each once', () => {
    const results = [
      aStage(),
      aStage({ failed: 3, failedFiles: ['a.test.ts', 'b.test.ts'] }),
      aStage({ name: 'media', failed: 1, failedFiles: ['b.test.ts'] }),
    ];
    assert.deepEqual(filesToRunAgain(results), ['a.test.ts', 'b.test.ts']);
  });

  it('are none if a stage has failed and no test explains it', () => {
    const failed = aStage({ failed: 1, failedFiles: ['a.test.ts'] });
    assert.deepEqual(filesToRunAgain([failed, aStage({ name: 'lint', failed: 1 })]), []);
  });

  it('are none if there are more than a busy machine makes fail', () => {
    assert.equal(filesToRunAgain([aStage({ failed: 20, failedFiles: names(20) })]).length, 20);
    assert.deepEqual(filesToRunAgain([aStage({ failed: 21, failedFiles: names(21) })]), []);
  });
});

describe('a stage whose failed files were run again', () => {
  const failed = aStage({ failed: 3, failedFiles: ['a.test.ts', 'b.test.ts'] });

  it('has passed if they pass, and names them', () => {
    const passed = { passed: 5, failed: 0 };
    const after = afterSecondRun(
      failed,
      new Map([
        ['a.test.ts', passed],
        ['b.test.ts', passed],
      ]),
    );
    assert.deepEqual(after, {
      ...failed,
      passed: 23,
      failed: 0,
      failedFiles: [],
      passedAlone: ['a.test.ts', 'b.test.ts'],
    });
  });

  it('has failed while one of them fails again', () => {
    const after = afterSecondRun(
      failed,
      new Map([
        ['a.test.ts', { passed: 5, failed: 0 }],
        ['b.test.ts', { passed: 4, failed: 1 }],
      ]),
    );
    assert.deepEqual([after.passed, after.failed], [22, 1]);
    assert.deepEqual([after.failedFiles, after.passedAlone], [['b.test.ts'], ['a.test.ts']]);
  });

  it('stays as it is if nothing was run again', () => {
    assert.equal(afterSecondRun(failed, new Map()), failed);
  });
});

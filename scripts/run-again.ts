import type { StageResult } from './run-stages.ts';
import type { Outcome } from './test-runners.ts';

/** A change that breaks something fails in more files. Then they are not run again. */
const MOST_FILES = 20;

/**
 * The files that are run once more when all stages have ended, alone: their tests may have failed because the machine
 * was busy. Tests that then pass are named in the summary, so that they are mended all the same.
 * @returns no file if there are too many, or a stage failed for another reason than a failed test
 */
export function filesToRunAgain(results: readonly StageResult[]): readonly string[] {
  const failed = results.filter((result) => result.failed > 0);
  const files = [...new Set(failed.flatMap(({ failedFiles = [] }) => failedFiles))];
  const isExplained = failed.every(({ failedFiles = [] }) => failedFiles.length > 0);
  return isExplained && files.length <= MOST_FILES ? files : [];
}

/**
 * The result of a stage after its failed files were run again.
 * @param outcomes by file
 */
export function afterSecondRun(result: StageResult, outcomes: ReadonlyMap<string, Outcome>): StageResult {
  const again = (result.failedFiles ?? []).filter((file) => outcomes.has(file));
  if (again.length === 0) return result;
  const failedFiles = again.filter((file) => outcomes.get(file)!.failed > 0);
  const failed = failedFiles.reduce((total, file) => total + outcomes.get(file)!.failed, 0);
  return {
    ...result,
    passed: result.passed + Math.max(0, result.failed - failed),
    failed,
    failedFiles,
    passedAlone: again.filter((file) => !failedFiles.includes(file)),
  };
}

import { relative } from 'node:path';
import type { Reporter, TestSuiteResult } from '@web/test-runner';
import { root } from '../run-command.ts';
import { recordLine } from './record.ts';

/** A reporter of web-test-runner: prints a record for each file. Tests that are skipped do not count. */
export function elementReporter(): Reporter {
  return {
    reportTestFileResults({ testFile, sessionsForTestFile }) {
      const tests = sessionsForTestFile.flatMap(({ testResults }) => (testResults ? testsIn(testResults) : []));
      const passed = tests.filter((test) => test.passed && !test.skipped).length;
      const failed = tests.filter((test) => !test.passed && !test.skipped).length;
      const isBroken = failed === 0 && sessionsForTestFile.some((session) => !session.passed);
      const seconds = tests.reduce((total, { duration = 0 }) => total + duration / 1000, 0);
      const record = { file: relative(root, testFile), passed, failed: failed + Number(isBroken), seconds };
      process.stdout.write(recordLine({ ...record, notRun: 0, lacks: [] }));
    },
  };
}

const testsIn = ({ tests, suites }: TestSuiteResult): TestSuiteResult['tests'] => [
  ...tests,
  ...suites.flatMap((suite) => testsIn(suite)),
];

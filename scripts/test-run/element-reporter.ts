import { relative } from 'node:path';
import type { Reporter, TestRunnerPlugin, TestSuiteResult } from '@web/test-runner';
import { root } from '../run-command.ts';
import { recordLine, stepLine } from './record.ts';
import { isStandstill } from './standstill.ts';

/** The end of the title of a test that is skipped, because the browser lacks a capability (test/support/capabilities.ts). */
const NEEDED = /\(needs ([\w-]+)\)$/;

/** A reporter of web-test-runner: prints a record for each file. */
export function elementReporter(): Reporter {
  return {
    reportTestFileResults({ testFile, sessionsForTestFile }) {
      process.stdout.write(stepLine({ step: 'ends', file: relative(root, testFile), test: '' }));
      const tests = sessionsForTestFile.flatMap(({ testResults }) => (testResults ? testsIn(testResults) : []));
      const passed = tests.filter((test) => test.passed && !test.skipped).length;
      const failed = tests.filter((test) => !test.passed && !test.skipped).length;
      const errors = sessionsForTestFile.flatMap((session) => session.errors.map(({ message }) => message));
      const standstills = Number(isStandstill(errors.join('\n')));
      const isBroken = failed + standstills === 0 && sessionsForTestFile.some((session) => !session.passed);
      const seconds = tests.reduce((total, { duration = 0 }) => total + duration / 1000, 0);
      const record = { file: relative(root, testFile), passed, failed: failed + Number(isBroken), seconds };
      const incapable = tests.filter(({ skipped }) => skipped).map(({ name }) => NEEDED.exec(name)?.[1] ?? 'nothing');
      process.stdout.write(recordLine({ ...record, notRun: 0, standstills, lacks: [], incapable }));
    },
  };
}

/** Prints that a file begins, when its page asks for it. Must be before the plugin that serves it. */
export function elementSteps(): TestRunnerPlugin {
  return {
    name: 'element-steps',
    serve({ path }) {
      if (path.endsWith('.browser.test.ts')) {
        process.stdout.write(stepLine({ step: 'begins', file: path.slice(1), test: '' }));
      }
      return undefined;
    },
  };
}

const testsIn = ({ tests, suites }: TestSuiteResult): TestSuiteResult['tests'] => [
  ...tests,
  ...suites.flatMap((suite) => testsIn(suite)),
];

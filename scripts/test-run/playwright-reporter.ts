import { relative } from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { root } from '../run-command.ts';
import { recordLine, recordOf, stepLine, type TestStep } from './record.ts';

/** A reporter of playwright: prints what begins and ends, and a record for each test. A test that is skipped has failed. */
export default class implements Reporter {
  onTestBegin(test: TestCase): void {
    process.stdout.write(stepLine(stepOf(test, 'begins')));
  }

  onTestEnd(test: TestCase, { duration, errors }: TestResult): void {
    const messages = errors.map(({ message }) => message ?? '').join('\n');
    process.stdout.write(stepLine(stepOf(test, 'ends')));
    const hasPassed = test.outcome() === 'expected';
    process.stdout.write(
      recordLine(recordOf(relative(root, test.location.file), hasPassed, duration / 1000, messages)),
    );
  }
}

const stepOf = ({ title, location: { file } }: TestCase, step: TestStep['step']): TestStep => ({
  step,
  file: relative(root, file),
  test: title,
});

import { relative } from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { root } from '../run-command.ts';
import { recordLine, recordOf } from './record.ts';

/** A reporter of playwright: prints a record for each test. A test that is skipped has failed. */
export default class implements Reporter {
  onTestEnd(test: TestCase, { duration, errors }: TestResult): void {
    const messages = errors.map(({ message }) => message ?? '').join('\n');
    const hasPassed = test.outcome() === 'expected';
    process.stdout.write(
      recordLine(recordOf(relative(root, test.location.file), hasPassed, duration / 1000, messages)),
    );
  }
}

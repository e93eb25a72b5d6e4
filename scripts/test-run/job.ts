import { fileURLToPath } from 'node:url';
import { typescriptArguments } from '../run-command.ts';

/** A command that checks something. */
export interface Job {
  /** A test file, or another name by which the costs have it. */
  readonly name: string;
  readonly command: readonly string[];
  /** The test files that it runs. Absent: it is one check, such as the linter. */
  readonly files?: readonly string[];
  /** How many of its files run at once, if it runs them in browsers. */
  readonly atOnce?: number;
  /** The same for some of its files: those whose browser stood still run once more. */
  readonly again?: (files: readonly string[]) => Job;
}

/** Tests of several files in one process that take longer hang, for example because they wait for what does not come. */
const HANGING_TEST_MS = 300_000;

const reporter = (name: string): string => fileURLToPath(new URL(`${name}-reporter.ts`, import.meta.url));

/** A command that is one check. */
export const check = (name: string, ...command: readonly string[]): Job => ({ name, command });

const node = (name: string, files: readonly string[], ...options: readonly string[]): Job => ({
  name,
  files,
  command: [
    process.execPath,
    ...typescriptArguments,
    ...['spec', reporter('loaded')].flatMap((one) => [`--test-reporter=${one}`, '--test-reporter-destination=stdout']),
    ...options,
    fileURLToPath(new URL('node-tests.ts', import.meta.url)),
    ...files,
  ],
});

/** A file of `node:test` in a process of its own, which ends when nothing is left open. */
export const nodeFile = (file: string): Job => node(file, [file]);

/**
 * Files of `node:test` in one process, which share what they load. A file must leave nothing behind that changes the
 * result of another. What it leaves open keeps the process only until the last test has ended.
 */
export const nodeShare = (name: string, files: readonly string[]): Job =>
  node(name, files, '--test-force-exit', `--test-timeout=${HANGING_TEST_MS}`);

/** Test files in a browser. */
export const elements = (name: string, files: readonly string[], ...options: readonly string[]): Job => ({
  name,
  files,
  atOnce: 1.5,
  again: (some) => elements(name, some, ...options),
  command: ['wtr', ...options, '--files', ...files],
});

/** Test files of playwright. Each worker has a browser. */
export const playwright = (name: string, files: readonly string[], workers: number, option: string): Job => ({
  name,
  files,
  atOnce: workers,
  again: (some) => playwright(name, some, workers, option),
  command: [
    'playwright',
    'test',
    option,
    `--workers=${workers}`,
    `--reporter=list,${reporter('playwright')}`,
    ...files,
  ],
});

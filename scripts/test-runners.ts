import { globSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';
import { findBrowser, installBrowser } from './find-browser.ts';
import { root, runCommand, typescriptArguments } from './run-command.ts';

/** The number of tests that passed and failed. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** The files of all failed tests, from the root of the repository, of runners that run files. */
  readonly failedFiles?: readonly string[];
}

/** Counts a runner that failed without a failed test, or ran no test, as one failure. */
function outcomeOf(ok: boolean, passed: number, failed: number): Outcome {
  return { passed, failed: failed === 0 && (!ok || passed === 0) ? 1 : failed };
}

/** Counts a command that is one check, such as the linter. */
export async function commandOutcome(command: string, ...args: string[]): Promise<Outcome> {
  const { ok } = await runCommand(command, args);
  return { passed: Number(ok), failed: Number(!ok) };
}

/** The files that match patterns, each once, in the order of the patterns. */
export function filesMatching(...patterns: readonly string[]): string[] {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }).sort());
  return [...new Set(files)];
}

/** Files that take longer hang, for example because a server was not closed. They are ended and have failed. */
const HANGING_FILE_MS = 600_000;
/** As for files, for each test of several files that share a process. */
const HANGING_TEST_MS = 300_000;

/**
 * Runs tests of `node:test`, each file in a process of its own.
 * @param files in the order in which they start
 * @param atOnce how many of them run at the same time
 */
export async function nodeTests(files: readonly string[], atOnce = availableParallelism()): Promise<Outcome> {
  const events = run({
    files: [...files],
    cwd: root,
    concurrency: atOnce,
    timeout: HANGING_FILE_MS,
    execArgv: [...typescriptArguments],
  });
  let outcome = outcomeOf(false, 0, 0);
  const failedFiles = new Set<string>();
  const hasFailed = (file: string): unknown => failedFiles.add(relative(root, file));
  events.on('test:summary', ({ file, success, counts: { tests, passed, skipped, todo } }) => {
    // The summary without a file is that of the whole run.
    if (file === undefined) outcome = outcomeOf(success, passed, tests - passed - skipped - todo);
    else if (!success) hasFailed(file);
  });
  // A file that was ended has no summary.
  events.on('test:fail', ({ file }) => file !== undefined && hasFailed(file));
  for await (const text of events.compose(spec())) process.stdout.write(text);
  return { ...outcome, failedFiles: [...failedFiles] };
}

/**
 * Runs tests of `node:test` in a few processes, which share what they load. A file must leave nothing behind that
 * changes the result of another. What it leaves open keeps its process only until the last test has ended.
 * @param processes the number of processes
 */
export async function sharedNodeTests(files: readonly string[], processes: number): Promise<Outcome> {
  const options = [
    ...typescriptArguments,
    '--test',
    '--test-isolation=none',
    '--test-force-exit',
    `--test-timeout=${HANGING_TEST_MS}`,
    '--test-reporter=spec',
  ];
  const shares = Array.from({ length: processes }, (_, index) => files.filter((_, at) => at % processes === index));
  const runs = shares.map(async (share) => {
    const { ok, output } = await runCommand('node', [...options, ...share], { quiet: true });
    process.stdout.write(output);
    const count = (name: string): number => Number(new RegExp(`^\\S+ ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
    const { passed, failed } = outcomeOf(ok, count('pass'), count('tests') - count('pass'));
    const failedFiles = [...output.matchAll(/^test at (\S+?):\d+:\d+$/gm)].map(([, file]) => file!);
    return { passed, failed, failedFiles: [...new Set(failedFiles)] };
  });
  return sum(await Promise.all(runs));
}

export function sum(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((total, { passed }) => total + passed, 0),
    failed: outcomes.reduce((total, { failed }) => total + failed, 0),
    failedFiles: outcomes.flatMap(({ failedFiles = [] }) => failedFiles),
  };
}

/** Runs tests in a browser: `test/**\/*.browser.test.ts` in Chromium, if the options name no others. */
export async function elementTests(options: readonly string[] = []): Promise<Outcome> {
  const env = { CHROME_PATH: await browserPath() };
  const { ok, output } = await runCommand('wtr', options, { env });
  const [, passed = '0', failed = '0'] = [...output.matchAll(/(\d+) passed, (\d+) failed/g)].at(-1) ?? [];
  return outcomeOf(ok, Number(passed), Number(failed));
}

/** Runs tests of playwright. A test that is skipped, or passes at the second attempt, counts as failed. */
export async function playwrightTests(...options: readonly string[]): Promise<Outcome> {
  const report = join(tmpdir(), `streamgate-playwright-${process.pid}.json`);
  const { ok } = await runCommand('playwright', ['test', '--reporter=list,json', ...options], {
    env: { CHROME_PATH: await browserPath(), PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  try {
    const { stats, suites, config } = JSON.parse(readFileSync(report, 'utf8')) as JSONReport;
    const folder = relative(root, config.rootDir);
    return {
      ...outcomeOf(ok, stats.expected, stats.unexpected + stats.flaky + stats.skipped),
      failedFiles: suites.filter(hasFailed).map(({ file }) => join(folder, file)),
    };
  } catch {
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(report, { force: true });
  }
}

function hasFailed({ specs, suites = [] }: JSONReportSuite): boolean {
  return specs.some(({ ok }) => !ok) || suites.some(hasFailed);
}

async function browserPath(): Promise<string> {
  return findBrowser() ?? (await installBrowser());
}

// `npm test`: every check there is, one summary, and a last line "N passed, N failed".
// `npm test -- unit e2e` runs only the stages named.
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.ts';
import { findBrowser, installBrowser } from './find-browser.ts';
import { findFirefox, installFirefox } from './find-firefox.ts';
import { runCommand, type Finished } from './run-command.ts';

interface Outcome {
  passed: number;
  failed: number;
}

interface Stage {
  name: string;
  run: () => Promise<Outcome>;
}

const asOne = ({ ok }: Finished): Outcome => ({ passed: Number(ok), failed: Number(!ok) });

/** A runner that failed without a failed test in it (it did not start, it ran nothing) counts as one failure. */
function counted(finished: Finished, passed: number, failed: number): Outcome {
  const silent = failed === 0 && (!finished.ok || passed === 0);
  return { passed, failed: silent ? 1 : failed };
}

function lastNumber(output: string, pattern: RegExp): number {
  return Number([...output.matchAll(pattern)].at(-1)?.[1] ?? 0);
}

async function nodeTests(...patterns: string[]): Promise<Outcome> {
  const finished = await runCommand('node', ['--import', 'tsx', '--test', '--test-reporter=spec', ...patterns]);
  return counted(
    finished,
    lastNumber(finished.output, /^ℹ pass (\d+)/gm),
    lastNumber(finished.output, /^ℹ fail (\d+)/gm),
  );
}

async function elementTests(...options: string[]): Promise<Outcome> {
  const finished = await runCommand('wtr', options, { env: { CHROME_PATH: await browser() } });
  const summary = /(\d+) passed, (\d+) failed/g;
  const last = [...finished.output.matchAll(summary)].at(-1);
  return counted(finished, Number(last?.[1] ?? 0), Number(last?.[2] ?? 0));
}

async function endToEndTests(...options: string[]): Promise<Outcome> {
  const report = join(tmpdir(), `streamgate-e2e-${process.pid}.json`);
  const finished = await runCommand('playwright', ['test', '--reporter=list,json', ...options], {
    env: { CHROME_PATH: await browser(), PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  try {
    const { stats } = JSON.parse(readFileSync(report, 'utf8'));
    return counted(finished, stats.expected, stats.unexpected + stats.flaky + stats.skipped);
  } catch {
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(report, { force: true });
  }
}

/** The apps are built by the first, and used by the second. */
async function frameworkTests(): Promise<Outcome> {
  const built = await nodeTests('test/frameworks/*.test.ts');
  const used = await endToEndTests('-c', 'test/frameworks/playwright.config.ts');
  return { passed: built.passed + used.passed, failed: built.failed + used.failed };
}

/** The tests of elements again, and media between the two browsers. */
async function firefoxTests(): Promise<Outcome> {
  try {
    if (!findFirefox()) await installFirefox();
  } catch (error) {
    process.stdout.write(`${String(error)}\n`);
    return { passed: 0, failed: 1 };
  }
  const elements = await elementTests('--config', 'test/firefox/web-test-runner.config.mjs');
  const media = await endToEndTests('-c', 'test/firefox/playwright.config.ts');
  return { passed: elements.passed + media.passed, failed: elements.failed + media.failed };
}

async function browser(): Promise<string> {
  return findBrowser() ?? (await installBrowser());
}

async function buildAll(): Promise<Outcome> {
  try {
    await build();
    return { passed: 1, failed: 0 };
  } catch (error) {
    process.stdout.write(`${String(error)}\n`);
    return { passed: 0, failed: 1 };
  }
}

const command = (name: string, program: string, ...args: string[]): Stage => ({
  name,
  run: async () => asOne(await runCommand(program, args)),
});

const stages: Stage[] = [
  command('lint', 'oxlint', '--deny-warnings'),
  command('format', 'prettier', '--check', '--log-level', 'warn', '.'),
  command('types', 'tsc', '-p', 'tsconfig.json'),
  { name: 'build', run: buildAll },
  {
    name: 'unit',
    run: () =>
      nodeTests('test/{wire,client,elements,i18n,pages,management,server,bench,docs,demo}/**/!(*.browser).test.ts'),
  },
  { name: 'elements', run: () => elementTests() },
  { name: 'package', run: () => nodeTests('test/package/**/*.test.ts') },
  { name: 'frameworks', run: frameworkTests },
  { name: 'e2e', run: () => endToEndTests() },
  { name: 'firefox', run: firefoxTests },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !stages.some((stage) => stage.name === name));
if (unknown.length > 0) {
  process.stderr.write(`no stage ${unknown.join(', ')}; there are: ${stages.map(({ name }) => name).join(', ')}\n`);
  process.exit(2);
}

const results: (Outcome & { name: string; seconds: number })[] = [];
for (const { name, run } of stages) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`\n── ${name} ${'─'.repeat(60 - name.length)}\n`);
  const started = performance.now();
  const outcome = await run();
  results.push({ name, ...outcome, seconds: (performance.now() - started) / 1000 });
}

process.stdout.write('\n── summary ─────────────────────────────────────────────────────\n');
for (const { name, passed, failed, seconds } of results) {
  const mark = failed === 0 ? '✓' : '✗';
  process.stdout.write(`${mark} ${name.padEnd(10)} ${passed} passed, ${failed} failed  (${seconds.toFixed(1)} s)\n`);
}
const sum = (key: 'passed' | 'failed') => results.reduce((total, result) => total + result[key], 0);
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

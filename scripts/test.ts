// `npm test` runs every check and ends with a summary, whose last line is "N passed, N failed".
// `npm test -- fast` runs the checks of every change, in less than two minutes: lint, types, unit and elements.
// `npm test -- unit pages` runs the stages that are named.
// `npm test -- test/server/config/config.test.ts` runs the test files that are named, of whatever runner.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { failuresInOutput } from './failures-in-output.ts';
import { afterSecondRun, filesToRunAgain } from './run-again.ts';
import { root } from './run-command.ts';
import { HANGING_MIN, runStage, runStages, type StageResult } from './run-stages.ts';
import { elementTests, nodeTests, playwrightTests, sum, type Outcome } from './test-runners.ts';
import { FAST, stages, type Stage } from './test-stages.ts';

/** Runs single files. The name of a file decides about its runner. */
function fileStages(files: readonly string[]): Stage[] {
  const inBrowser = files.filter((file) => file.endsWith('.browser.test.ts'));
  const inPlaywright = files.filter((file) => file.endsWith('.spec.ts'));
  const inNode = files.filter((file) => !inBrowser.includes(file) && !inPlaywright.includes(file));
  const configOf = (file: string) =>
    ['test/firefox', 'test/frameworks'].find((folder) => file.startsWith(folder))?.concat('/playwright.config.ts') ??
    'playwright.config.ts';
  const configs = [...new Set(inPlaywright.map(configOf))];
  return [
    ...(inNode.length > 0 ? [{ name: 'node', run: () => nodeTests(inNode) }] : []),
    ...(inBrowser.length > 0 ? [{ name: 'elements', run: () => elementTests(['--files', ...inBrowser]) }] : []),
    ...configs.map((config) => ({
      name: 'playwright',
      run: () => playwrightTests('-c', config, ...inPlaywright.filter((file) => configOf(file) === config)),
    })),
  ];
}

function stagesNamed(names: readonly string[]): readonly Stage[] {
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    const known = stages.map(({ name }) => name).join(', ');
    process.stderr.write(
      `There is no stage ${unknown.join(', ')}. The stages are: ${known}; fast is ${FAST.join(', ')}.\n`,
    );
    process.exit(2);
  }
  return stages.filter(({ name }) => names.includes(name));
}

async function runInTurn(chosen: readonly Stage[]): Promise<StageResult[]> {
  const results: StageResult[] = [];
  for (const stage of chosen) {
    process.stdout.write(`\n── ${stage.name} ${'─'.repeat(60 - stage.name.length)}\n`);
    results.push(await runStage(stage));
  }
  return results;
}

/** Runs files whose tests failed once more, when nothing runs beside them. */
async function runFailedAgain(results: readonly StageResult[]): Promise<readonly StageResult[]> {
  const outcomes = new Map<string, Outcome>();
  for (const file of filesToRunAgain(results)) {
    process.stdout.write(`\n── ${file} once more, alone\n`);
    const isLate = minutes() > HANGING_MIN;
    outcomes.set(file, isLate ? { passed: 0, failed: 1 } : sum(await Promise.all(fileStages([file]).map(runStage))));
  }
  return results.map((result) => afterSecondRun(result, outcomes));
}

/** Repeats what failed, because the output of a stage can be a thousand lines before the end. */
function printFailures(results: readonly StageResult[]): void {
  for (const { name, failed, output } of results) {
    if (failed > 0 && output) process.stdout.write(`\n── failed in ${name}\n${failuresInOutput(output)}\n`);
  }
}

function printSummary(results: readonly StageResult[]): void {
  process.stdout.write('\n── summary ─────────────────────────────────────────────────────\n');
  for (const { name, passed, failed, seconds, passedAlone = [] } of results) {
    const mark = failed === 0 ? '✓' : '✗';
    process.stdout.write(`${mark} ${name.padEnd(13)} ${passed} passed, ${failed} failed  (${seconds.toFixed(1)} s)\n`);
    for (const file of passedAlone) process.stdout.write(`  passed only when run again, alone: ${file}\n`);
  }
  process.stdout.write(`all in ${minutes().toFixed(1)} min\n`);
  const { passed, failed } = sum(results);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
}

const started = performance.now();
const minutes = (): number => (performance.now() - started) / 60_000;
const wanted = process.argv.slice(2);
const files = wanted.filter((name) => name.endsWith('.ts') && existsSync(join(root, name)));
const names = wanted.flatMap((name) => (name === 'fast' ? FAST : name)).filter((name) => !files.includes(name));
const named = wanted.length === 0 ? stages : stagesNamed(names);
const results = [
  ...(named.length > 1 ? await runFailedAgain(await runStages(named)) : await runInTurn(named)),
  ...(await runInTurn(fileStages(files))),
];
const outcome = sum(results);
process.exitCode = outcome.failed === 0 ? 0 : 1;
// A process that runs a stage for another process reports to it. It ends even if the tests have left something open.
if (process.send) {
  process.send(outcome, undefined, undefined, () => process.exit());
} else {
  printFailures(results);
  printSummary(results);
}

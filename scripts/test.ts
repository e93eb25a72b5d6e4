// `npm test` runs every check and ends with a summary, whose last line is "N passed, N failed".
// `npm test -- fast` runs the checks of every change, in about two minutes: lint, types, unit and elements.
// `npm test -- unit e2e` runs the stages that are named.
// `npm test -- test/server/config/config.test.ts` runs the test files that are named, of whatever runner.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { build } from './build.ts';
import { findFirefox, installFirefox } from './find-firefox.ts';
import { root } from './run-command.ts';
import {
  commandOutcome,
  elementTests,
  filesMatching,
  nodeTests,
  playwrightTests,
  type Outcome,
} from './test-runners.ts';

interface Stage {
  readonly name: string;
  run(): Promise<Outcome>;
}

const FAST: readonly string[] = ['lint', 'types', 'unit and elements'];

/** The slowest files. They start first, because the stage ends with the slowest file. */
const SLOWEST = [
  'test/server/hostile-peers.test.ts',
  'test/server/media/embedded/worker/*workers.test.ts',
  'test/server/database-outage.test.ts',
  'test/server/cli/cli.test.ts',
  'test/server/store/durability.test.ts',
  'test/server/several-processes.test.ts',
  'test/server/media/embedded/embedded-engine.test.ts',
  'test/server/npm-start.test.ts',
  'test/server/media/embedded/worker/silent-peers.test.ts',
];
/** Tests of `node:test` with sockets, databases or processes. All others are unit tests. */
const SERVER = [
  ...SLOWEST,
  'test/server/*.test.ts',
  'test/server/{cli,ingest,signalling,store}/**/*.test.ts',
  'test/server/media/embedded/*.test.ts',
  'test/server/media/embedded/{relay,stream,transport,worker}/**/*.test.ts',
  'test/bench/**/*.test.ts',
];
const NODE = 'test/!(package|frameworks|support)/**/!(*.browser).test.ts';

async function unitTests(): Promise<Outcome> {
  const others = new Set(filesMatching(...SERVER));
  return nodeTests(filesMatching(NODE).filter((file) => !others.has(file)));
}

/** The unit tests compute while the element tests wait. */
async function unitAndElementTests(): Promise<Outcome> {
  return sum(await Promise.all([unitTests(), elementTests([], true)]));
}

/** These tests wait more than they compute, so one more file runs at once than there are cores. */
async function serverTests(): Promise<Outcome> {
  return nodeTests(filesMatching(...SERVER), availableParallelism() + 1);
}

/** The first tests build the applications, and the second use them. */
async function frameworkTests(): Promise<Outcome> {
  const built = await nodeTests(filesMatching('test/frameworks/*.test.ts'));
  return sum([built, await playwrightTests('-c', 'test/frameworks/playwright.config.ts')]);
}

/** Pages are tested side by side, and media alone. */
async function endToEndTests(): Promise<Outcome> {
  const pages = await playwrightTests('--project=pages', `--workers=${availableParallelism() + 1}`);
  return sum([pages, await playwrightTests('--project=media')]);
}

/** The tests of the elements again, and media between the two browsers. */
async function firefoxTests(): Promise<Outcome> {
  if (!findFirefox()) await installFirefox();
  const elements = await elementTests(['--config', 'test/firefox/web-test-runner.config.mjs']);
  return sum([elements, await playwrightTests('-c', 'test/firefox/playwright.config.ts')]);
}

async function buildAll(): Promise<Outcome> {
  await build();
  return { passed: 1, failed: 0 };
}

const stages: readonly Stage[] = [
  { name: 'lint', run: () => commandOutcome('oxlint', '--deny-warnings') },
  { name: 'format', run: () => commandOutcome('prettier', '--check', '--log-level', 'warn', '.') },
  { name: 'types', run: () => commandOutcome('tsc', '-p', 'tsconfig.json') },
  { name: 'build', run: buildAll },
  { name: 'unit', run: unitTests },
  { name: 'server', run: serverTests },
  { name: 'elements', run: () => elementTests() },
  { name: 'package', run: () => nodeTests(filesMatching('test/package/**/*.test.ts')) },
  { name: 'frameworks', run: frameworkTests },
  { name: 'e2e', run: endToEndTests },
  { name: 'firefox', run: firefoxTests },
];

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

function stagesFor(wanted: readonly string[]): readonly Stage[] {
  if (wanted.length === 0) return stages;
  const all = [...stages, { name: 'unit and elements', run: unitAndElementTests }];
  const files = wanted.filter((name) => name.endsWith('.ts') && existsSync(join(root, name)));
  const names = wanted.flatMap((name) => (name === 'fast' ? FAST : name)).filter((name) => !files.includes(name));
  const unknown = names.filter((name) => !all.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    const known = stages.map(({ name }) => name).join(', ');
    process.stderr.write(
      `There is no stage ${unknown.join(', ')}. The stages are: ${known}; fast is ${FAST.join(', ')}.\n`,
    );
    process.exit(2);
  }
  return [...all.filter(({ name }) => names.includes(name)), ...fileStages(files)];
}

function sum(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((total, { passed }) => total + passed, 0),
    failed: outcomes.reduce((total, { failed }) => total + failed, 0),
  };
}

const results: (Outcome & { readonly name: string; readonly seconds: number })[] = [];
for (const { name, run } of stagesFor(process.argv.slice(2))) {
  process.stdout.write(`\n── ${name} ${'─'.repeat(60 - name.length)}\n`);
  const started = performance.now();
  const outcome = await run().catch((error: unknown) => {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return { passed: 0, failed: 1 };
  });
  results.push({ name, ...outcome, seconds: (performance.now() - started) / 1_000 });
}

process.stdout.write('\n── summary ─────────────────────────────────────────────────────\n');
for (const { name, passed, failed, seconds } of results) {
  const mark = failed === 0 ? '✓' : '✗';
  process.stdout.write(`${mark} ${name.padEnd(10)} ${passed} passed, ${failed} failed  (${seconds.toFixed(1)} s)\n`);
}
const { passed, failed } = sum(results);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

// `npm run mutate -- PATH…` shows whether tests notice when the code is wrong: it changes files, or the files of folders, in
// one small way at a time, and runs the tests of the first ring that reach them. It prints each change that no test
// noticed, and fails if more than 15 % of them were not. With test files among the paths, only these run.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runCommand } from './run-command.ts';
import { filesReaching } from './test-run/reached-files.ts';
import { stages } from './test-stages.ts';

/** Stryker, which makes the changes, and is no dependency of the repository. */
const FOLDER = join(root, 'scripts/mutation');
/** The percentage of changes that tests must notice. */
const LEAST_NOTICED = 85;
const TEST = /\.test\.ts$/;
/** These read the files of the repository, such as docs, and say nothing of what code does. */
const OF_THE_REPOSITORY = /^test\/(?:deploy|docs|package|types)\//;

const paths = process.argv.slice(2);
const sources = paths.filter((path) => !TEST.test(path));
const missing = paths.find((path) => !existsSync(join(root, path)));
if (sources.length === 0 || missing) {
  process.stderr.write(missing ? `There is no ${missing}.\n` : 'usage: npm run mutate -- PATH… [TEST…]\n');
  process.exit(2);
}
const mutated = sources.map((path) =>
  statSync(join(root, path)).isDirectory() ? `${path.replace(/\/$/, '')}/**/*.ts` : path,
);
const named = paths.filter((path) => TEST.test(path));
const testFiles = named.length > 0 ? named : testsReaching(sources);
if (testFiles.length === 0) {
  process.stderr.write('No test of the first ring reaches these files.\n');
  process.exit(1);
}
process.stdout.write(`${testFiles.length} test files reach them\n`);
if (!existsSync(join(FOLDER, 'node_modules/.package-lock.json'))) {
  const { ok } = await runCommand('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER });
  if (!ok) process.exit(1);
}
const settings = join(FOLDER, 'node_modules/.cache/stryker.json');
mkdirSync(join(FOLDER, 'node_modules/.cache'), { recursive: true });
writeFileSync(
  settings,
  JSON.stringify({
    testRunner: 'node-test',
    plugins: [join(FOLDER, 'node-test-runner.ts')],
    nodeTest: { testFiles },
    warnings: { unknownOptions: false },
    mutate: mutated,
    // What a message says is for people.
    mutator: { excludedMutations: ['StringLiteral'] },
    ignorePatterns: [
      '/*',
      '!/src',
      '!/server',
      '/server/dist',
      '!/test',
      '!/scripts',
      '/scripts/mutation',
      '!/bench',
      '!/*.json',
    ],
    // It would read this file with the API of TypeScript, which version 7 does not have.
    tsconfigFile: 'none.json',
    tempDirName: join(tmpdir(), 'streamgate-mutation'),
    coverageAnalysis: 'perTest',
    // On a machine that others use as well.
    concurrency: Number(process.env.MUTATE_AT_ONCE) || availableParallelism(),
    timeoutMS: 30_000,
    reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    jsonReporter: { fileName: 'scripts/mutation/node_modules/.cache/report.json' },
    htmlReporter: { fileName: 'scripts/mutation/node_modules/.cache/report.html' },
    thresholds: { high: 95, low: LEAST_NOTICED, break: LEAST_NOTICED },
  }),
);
const { ok } = await runCommand('node', [
  join(FOLDER, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
  'run',
  settings,
]);
process.exitCode = ok ? 0 : 1;

/**
 * The tests of the first ring that import files or files of folders, themselves, by what supports tests, or by one other
 * source. Those that reach them by more sources would notice few changes more, and take hours.
 */
function testsReaching(wanted: readonly string[]): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'server', 'test'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  );
  const texts = new Map(
    listed
      .split('\n')
      .filter((file) => /\.tsx?$/.test(file) && existsSync(join(root, file)))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
  const all = [...texts];
  const first = all.filter(([file]) => wanted.some((path) => `${file}/`.startsWith(`${path.replace(/\/$/, '')}/`)));
  const changed = new Set(first.map(([file]) => file));
  const importers = all.filter(([file, text]) => filesReaching(changed, new Map([...first, [file, text]])).has(file));
  const tests = all.filter(([file]) => file.startsWith('test/'));
  const reached = filesReaching(changed, new Map([...importers, ...tests]));
  const unit = stages.find(({ name }) => name === 'unit')!;
  return unit.files!().filter((file) => reached.has(file) && !OF_THE_REPOSITORY.test(file));
}

// Builds both packages. `--if-needed`: only when a source is newer than the last complete build.
import { cpSync, rmSync, statSync, writeFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compressFiles } from './compress-files.ts';
import { writeEditorData } from './editor-data/write-editor-data.ts';
import { minifyTemplatesIn } from './minify-templates.ts';
import { root, runCommand } from './run-command.ts';
import { writeIntegrity } from './write-integrity.ts';

const STAMP = join(root, 'server/dist/.built');
const PUBLIC = join(root, 'server/dist/public');
const ERRORS = join(root, 'docs/errors');
const HLS_PLAYER = 'hls-player.js';
const INPUTS = [
  'src',
  'server',
  'docs/errors',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'scripts',
];

function newest(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  const children = readdirSync(path).filter((name) => name !== 'dist' && name !== 'node_modules');
  return Math.max(0, ...children.map((name) => newest(join(path, name))));
}

function upToDate(): boolean {
  const built = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return built > Math.max(...INPUTS.map((input) => newest(join(root, input))));
}

async function step(what: string, command: string, args: readonly string[]): Promise<void> {
  const { ok, output, seconds } = await runCommand(command, args, { quiet: true });
  if (!ok) throw new Error(`${what} failed:\n${output}`);
  process.stdout.write(`  ${what} (${seconds.toFixed(1)} s)\n`);
}

/** Compiles and bundles everything that `npm start` and the two tarballs need. */
export async function build({ ifNeeded = false } = {}): Promise<void> {
  if (ifNeeded && upToDate()) return;
  process.stdout.write('building Streamgate\n');
  const started = Date.now();
  for (const folder of ['dist', 'server/dist']) rmSync(join(root, folder), { recursive: true, force: true });

  await step('browser package', 'tsc', ['-p', 'tsconfig.build.json']);
  await minifyTemplatesIn(join(root, 'dist/elements'));
  await step('custom elements manifest', 'custom-elements-manifest', ['analyze', '--quiet']);
  writeEditorData();
  // The compiler takes as long as all bundles together.
  await Promise.all([step('server', 'tsc', ['-p', 'server/tsconfig.json']), bundle()]);
  writeIntegrity(PUBLIC);
  for (const part of ['streamgate.js', HLS_PLAYER, 'i18n', 'integrity.json']) {
    cpSync(join(PUBLIC, part), join(root, 'dist/cdn', part), { recursive: true });
  }
  for (const page of readdirSync(ERRORS)) {
    if (page !== 'README.md') cpSync(join(ERRORS, page), join(PUBLIC, 'errors', page.replace(/\.md$/, '.txt')));
  }
  compressFiles(PUBLIC);

  writeFileSync(STAMP, '');
  process.stdout.write(`built in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

async function bundle(): Promise<void> {
  await step('pages', 'vite', ['build', '--logLevel', 'warn']);
  await step('viewer page', 'vite', ['build', '--mode', 'viewer', '--logLevel', 'warn']);
  await step('player for browsers without HLS', 'vite', ['build', '--mode', 'hls', '--logLevel', 'warn']);
  // For the npm package too: consumers need not install a library that few of their visitors load.
  cpSync(join(PUBLIC, HLS_PLAYER), join(root, 'dist/elements/viewer/rewind', HLS_PLAYER));
  await step('file for script tags', 'vite', ['build', '--mode', 'cdn', '--logLevel', 'warn']);
  await step('languages for script tags', 'vite', ['build', '--mode', 'i18n', '--logLevel', 'warn']);
}

if (import.meta.main) {
  await build({ ifNeeded: process.argv.includes('--if-needed') }).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}

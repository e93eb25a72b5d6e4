import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run-command.ts';
import type { Stage } from '../test-stages.ts';
import { filesReaching } from './reached-files.ts';
import { whole, type Selection } from './selection.ts';

/** Where a change has begun, if the first that exists has a common commit with it. */
const MAIN = ['@{upstream}', 'origin/main', 'main'];
/** Settings that every file depends on. */
const EVERYTHING = /^(?:package(?:-lock)?\.json|tsconfig\.base\.json|scripts\/load-typescript\.js)$/;
/** These run with every change, because they cost little. */
const ALWAYS = new Set(['lint', 'types', 'format']);
const CODE = /\.(?:[cm]?js|tsx?)$/;

/** The stages that a change concerns: those without test files, and the files that reach a changed file. */
export function changedSelection(stages: readonly Stage[]): Selection[] {
  const changed = changedFiles();
  const files = new Map(
    git('ls-files', '--cached', '--others', '--exclude-standard').map((file) => [
      file,
      CODE.test(file) ? textOf(file) : '',
    ]),
  );
  const reached = changed.some((file) => EVERYTHING.test(file))
    ? new Set(files.keys())
    : filesReaching(new Set(changed), files);
  const some = whole(stages)
    .map(({ stage, files }) => ({ stage, files: files.filter((file) => reached.has(file)), all: files.length }))
    .filter(({ stage, files }) => files.length > 0 || ALWAYS.has(stage.name));
  process.stdout.write(`${changed.length} changed files\n`);
  for (const { stage, files, all } of some) {
    if (all > 0) process.stdout.write(`  ${stage.name}: ${files.length} of ${all} files\n`);
  }
  const needed = new Set(some.flatMap(({ stage }) => stage.after ?? []));
  const before = stages.filter(({ name }) => needed.has(name) && !some.some(({ stage }) => stage.name === name));
  return [...whole(before), ...some];
}

/** The files that were changed since the main branch, or are not committed. */
function changedFiles(): string[] {
  const base = MAIN.map((name) => mergeBase(name)).find((commit) => commit !== undefined) ?? 'HEAD';
  return [...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')])];
}

function mergeBase(name: string): string | undefined {
  try {
    return git('merge-base', 'HEAD', name)[0];
  } catch {
    return undefined;
  }
}

function git(...args: readonly string[]): string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: 'pipe' })
    .split('\n')
    .filter(Boolean);
}

function textOf(file: string): string {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    // It was removed.
    return '';
  }
}

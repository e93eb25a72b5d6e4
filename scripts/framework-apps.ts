// Installs the applications of demo/frameworks, each with the package of this repository as it was built last.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommand } from './run-command.ts';

/** The applications that are installed and built. The one in plain HTML needs neither. */
export const frameworkApps = ['react', 'vue', 'svelte', 'angular', 'next'] as const;
export type FrameworkApp = (typeof frameworkApps)[number];

export const folderOf = (app: string): string => join(root, 'demo/frameworks', app);

/**
 * Installs the packages of an application, if its lock file or the dependencies of our package have changed since the
 * last time. Always installs our own package, from its tarball.
 */
export async function installApp(app: FrameworkApp, tarball: string): Promise<void> {
  const folder = folderOf(app);
  const stamp = join(folder, 'node_modules/.installed');
  const current = fingerprint(folder);
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== current) {
    await run('npm', ['ci', '--include=dev', '--prefer-offline', '--no-audit', '--no-fund'], folder);
    writeFileSync(stamp, current);
  }
  const ours = join(folder, 'node_modules/streamgate');
  rmSync(ours, { recursive: true, force: true });
  mkdirSync(ours);
  await run('tar', ['-xzf', tarball, '-C', ours, '--strip-components=1'], folder);
}

function fingerprint(folder: string): string {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .update(JSON.stringify([dependencies, peerDependencies, process.version]))
    .digest('hex');
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { ok, output } = await runCommand(command, args, { cwd, quiet: true });
  if (!ok) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}:\n${output}`);
}

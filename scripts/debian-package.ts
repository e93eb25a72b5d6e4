import { existsSync } from 'node:fs';
import { runCommand } from './run-command.ts';

/** Of one command, which may wait for that of another test. */
const WITHIN_MS = 600_000;

/** Installs a Debian package, if this is root on a machine with apt-get. Otherwise does nothing. */
export async function installDebianPackage(name: string): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  await runCommand('apt-get', ['update', '-q'], { quiet: true, withinMs: WITHIN_MS });
  await runCommand('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'install', '-yq', '--no-install-recommends', name], {
    quiet: true,
    withinMs: WITHIN_MS,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
}

import { existsSync } from 'node:fs';
import { runCommand } from './run-command.ts';

/** Installs a Debian package, if this is root on a machine with apt-get. Otherwise does nothing. */
export async function installDebianPackage(name: string): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  await runCommand('apt-get', ['update', '-q'], { quiet: true });
  await runCommand('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'install', '-yq', '--no-install-recommends', name], {
    quiet: true,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
}

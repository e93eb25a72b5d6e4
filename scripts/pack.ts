import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommand } from './run-command.ts';

const CACHE = join(root, 'node_modules/.cache/streamgate/tarballs');

/**
 * Packs a package as npm would publish it, once for each build. All tests of one run share the tarball.
 * @param folder of the package, from the root of the repository
 * @returns the path of the tarball
 */
export async function packPackage(folder: '.' | 'server' = '.'): Promise<string> {
  const home = join(root, folder);
  const packed = join(CACHE, fingerprint(home));
  if (!existsSync(packed)) {
    mkdirSync(CACHE, { recursive: true });
    const target = mkdtempSync(join(CACHE, 'packing-'));
    const { ok, output } = await runCommand('npm', ['pack', '--pack-destination', target], { cwd: home, quiet: true });
    if (!ok) throw new Error(`npm pack failed in ${home}:\n${output}`);
    try {
      renameSync(target, packed);
    } catch (error) {
      // Another process has packed the same build.
      if (!existsSync(packed)) throw error;
      rmSync(target, { recursive: true });
    }
  }
  return join(packed, readdirSync(packed)[0]!);
}

/** A hash of the names, sizes and times of a package's files. It changes with each build. */
function fingerprint(home: string): string {
  const folders = ['dist', 'bin'].map((name) => join(home, name)).filter((folder) => existsSync(folder));
  const files = [
    ...readdirSync(home).map((name) => join(home, name)),
    ...folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    ),
  ];
  const states = files.flatMap((path) => {
    // A build of another test may remove its temporary folder meanwhile.
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? [`${path} ${stat.size} ${stat.mtimeMs}`] : [];
  });
  return createHash('sha256').update(states.sort().join('\n')).digest('hex').slice(0, 32);
}

import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const folder = join(import.meta.dirname, '../peers');
const require = createRequire(join(folder, 'package.json'));

/** The dependencies of `bench/peers/package.json`. */
export type Peer = 'medooze-media-server' | 'werift';

/** Loads a peer's module. @typeParam Module what the module exports; this is not checked */
export function requirePeer<Module>(name: string): Module {
  return require(name) as Module;
}

/**
 * Installs the packages that a benchmark compares with, if they are missing. They are no dependencies of the repository,
 * because its users would wait for them. Packages that cannot be installed are left out.
 * @param into a folder of `bench` with a lock file. One package of `peers` compiles for minutes.
 * @returns the folder
 */
export async function installPeers(into: 'pages' | 'peers' | 'players' = 'peers'): Promise<string> {
  const cwd = join(import.meta.dirname, '../', into);
  if (existsSync(join(cwd, 'node_modules/.package-lock.json'))) return cwd;
  process.stderr.write(`installing the packages to compare with into bench/${into}\n`);
  await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd }).catch((error: unknown) =>
    process.stderr.write(`npm could not install bench/${into}: ${String(error)}\n`),
  );
  return cwd;
}

/**
 * Finds a Node that can load the peer: the Node of this process, or another one of the PATH, for which npm may have
 * compiled the peer. Prints a notice and returns undefined if there is none.
 */
export function nodeFor(peer: Peer): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const nodes = [process.execPath, ...folders.map((path) => join(path, 'node')).filter((path) => existsSync(path))];
  for (const node of new Set(nodes)) {
    try {
      execFileSync(node, ['-e', `require('${peer}'); process.exit(0)`], { cwd: folder, stdio: 'ignore' });
      return node;
    } catch {
      // Try the next one.
    }
  }
  process.stderr.write(`${peer} is not measured: no Node of this machine can load it\n`);
  return undefined;
}

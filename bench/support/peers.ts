import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const folder = join(import.meta.dirname, '../peers');
const require = createRequire(join(folder, 'package.json'));

/** Those of `bench/peers/package.json`. */
export type Peer = 'medooze-media-server' | 'werift';

/** A peer's module, as the interface says that it is. */
export function requirePeer<Module>(name: string): Module {
  return require(name) as Module;
}

/**
 * Installs what a benchmark measures against, where it is not there yet, in a folder of its own: nobody who only wants
 * the server should wait for it. What cannot be installed is left out.
 * @param into a folder of `bench` with a lock file; in `peers` one compiles for minutes
 * @returns the folder
 */
export async function installPeers(into: 'peers' | 'players' = 'peers'): Promise<string> {
  const cwd = join(import.meta.dirname, '../', into);
  if (existsSync(join(cwd, 'node_modules/.package-lock.json'))) return cwd;
  process.stderr.write(`installing what to measure against into bench/${into}\n`);
  await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd }).catch((error: unknown) =>
    process.stderr.write(`not all of it could be installed: ${String(error)}\n`),
  );
  return cwd;
}

/**
 * A Node that can load the peer: ours, or one that npm may have compiled it for; undefined, and said so, where there
 * is none.
 */
export function nodeFor(peer: Peer): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const nodes = [process.execPath, ...folders.map((path) => join(path, 'node')).filter((path) => existsSync(path))];
  for (const node of new Set(nodes)) {
    try {
      execFileSync(node, ['-e', `require('${peer}'); process.exit(0)`], { cwd: folder, stdio: 'ignore' });
      return node;
    } catch {
      // The next one may.
    }
  }
  process.stderr.write(`${peer} is not measured: it could not be installed or loaded here\n`);
  return undefined;
}

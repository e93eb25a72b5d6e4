import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { Sandbox } from '../../../child-process.js';

const SERVER_FOLDER = join(import.meta.dirname, '../../..');
const IS_COMPILED = extname(import.meta.filename) === '.js';
/** Native code needs them to find libraries; Windows cannot open a socket without the last one. */
const KEPT_VARIABLES = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot'];

/**
 * What a process that carries media may do: load its own code, use the network, and work with the sockets between
 * workers. It cannot read the data folder, write a file, or start a program, and it knows no secret of the environment.
 * Node enforces it for JavaScript, and not for native code: see docs/decisions/0031.
 * @param socketFolder undefined: the sockets are not in a folder
 */
export function workerSandbox(socketFolder: string | undefined): Sandbox {
  const sockets = socketFolder === undefined ? [] : [socketFolder];
  return {
    flags: [
      '--permission',
      // The WebRTC library is an add-on.
      '--allow-addons',
      '--disable-warning=SecurityWarning',
      // Node 25 and later deny the network as well.
      ...(process.allowedNodeEnvironmentFlags.has('--allow-net')
        ? ['--allow-net', '--disable-warning=ExperimentalWarning']
        : []),
      ...[...codePaths(), ...sockets].map((path) => `--allow-fs-read=${path}`),
      ...sockets.map((path) => `--allow-fs-write=${path}`),
    ],
    environment: Object.fromEntries(
      KEPT_VARIABLES.flatMap((name) => {
        const value = process.env[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

/** The server's code and its packages. The data folder is beside them: no folder above may be read. */
function codePaths(): string[] {
  const root = dirname(SERVER_FOLDER);
  const own = IS_COMPILED
    ? [join(root, '*'), join(dirname(root), 'package.json')]
    : [
        ...['server', 'src', 'scripts'].map((folder) => join(root, folder, '*')),
        join(root, 'package.json'),
        join(SERVER_FOLDER, 'package.json'),
      ];
  const library = createRequire(import.meta.url).resolve('node-datachannel');
  const packages = new Set([...foldersOf(SERVER_FOLDER), ...foldersOf(dirname(library))]);
  return [...own, ...[...packages].map((folder) => join(folder, 'node_modules', '*'))];
}

/** A folder, and those above it. */
function foldersOf(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersOf(above)];
}

import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';

const SERVER_FOLDER = import.meta.dirname;
const IS_COMPILED = extname(import.meta.filename) === '.js';

/** The limits of a process, as flags of Node. It enforces them for JavaScript, and not for native code. */
export interface Sandbox {
  readonly flags: readonly string[];
}

/** What a process may do besides loading the server's code and its packages. */
export interface Permissions {
  /** Where it may read and write files. */
  readonly folders: readonly string[];
  /** Whether it may load native code, and use the network. */
  readonly hasMedia?: boolean;
}

/** It cannot read or write any other file, or start a program or a thread: see docs/decisions/0031. */
export function processSandbox({ folders, hasMedia = false }: Permissions): Sandbox {
  // Node 25 and later deny the network as well.
  const limitsNetwork = process.allowedNodeEnvironmentFlags.has('--allow-net');
  const ofMedia = [
    '--allow-addons',
    ...(limitsNetwork ? ['--allow-net', '--disable-warning=ExperimentalWarning'] : []),
  ];
  return {
    flags: [
      '--permission',
      '--disable-warning=SecurityWarning',
      ...(hasMedia ? ofMedia : []),
      ...[...codePaths(), ...folders].map((path) => `--allow-fs-read=${path}`),
      ...folders.map((path) => `--allow-fs-write=${path}`),
    ],
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

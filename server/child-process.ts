import { fork, spawn, type ChildProcess, type ChildProcessByStdio, type SpawnOptions } from 'node:child_process';
import { extname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from './process-sandbox.js';

/**
 * A child gets the flags of this process that affect how code is loaded, and no other: not a debugger's port, a test
 * runner, or `--eval`, whose script would start the same child in the child again, and so on without end.
 */
const LOADING_FLAG = /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C)(=|$)/;

function loadingFlags(flags: readonly string[]): string[] {
  return flags.filter((flag, index) => {
    // `--import tsx` is two arguments, `--import=tsx` is one.
    const before = flags[index - 1] ?? '';
    return LOADING_FLAG.test(flag) || (!before.includes('=') && LOADING_FLAG.test(before));
  });
}

/**
 * The file of a module beside the one that asks: `.ts` when run from the sources, `.js` when compiled.
 * @param meta `import.meta` of the one that asks
 */
export function moduleBeside(name: string, meta: ImportMeta): string {
  return fileURLToPath(new URL(`${name}${extname(meta.filename)}`, meta.url));
}

export interface ForkOptions {
  /** `advanced`: messages may have bytes, and numbers such as Infinity. Default: `json`. */
  readonly serialization?: 'json' | 'advanced';
  /** Flags of Node, beside those of the sandbox. */
  readonly flags?: readonly string[];
  /** Variables of its environment, beside those that every child has. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What the process may do. Absent: everything that this process may do. */
  readonly sandbox?: Sandbox | undefined;
}

/**
 * Programs are found by the first, native code finds libraries by the next two, files that are needed for a moment are
 * kept in the folders after them, and Windows cannot open a socket without the last one.
 */
const KEPT_VARIABLES = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TMPDIR', 'TMP', 'TEMP', 'SystemRoot'] as const;

/**
 * The environment of every child process. That of this process has secrets, such as ENCRYPTION_KEY and DATABASE_URL,
 * which no child needs: a flaw in a decoder of media must not show them.
 * @param more variables that the program is made for
 */
export function childEnvironment(more: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    [...KEPT_VARIABLES, ...more].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Runs a module in a process of its own, with a channel for messages. */
export function forkModule(
  file: string,
  { serialization = 'json', flags = [], settings = {}, sandbox }: ForkOptions = {},
): ChildProcess {
  // A loader of the surrounding application may do what the sandbox forbids. Only our sources need one.
  const isLoaded = sandbox === undefined || extname(file) === '.ts';
  const execArgv = [...(isLoaded ? loadingFlags(process.execArgv) : []), ...flags, ...(sandbox?.flags ?? [])];
  return fork(file, {
    execArgv,
    env: { ...childEnvironment(), ...settings },
    serialization,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/**
 * Kills a child, if there is one. Without a free file descriptor `fork` gives a child without a process, whose `kill`
 * may signal a process of somebody else.
 */
export function killChild(child: ChildProcess): void {
  // SIGKILL, because a stopped process ignores every other signal.
  if (child.pid !== undefined) child.kill('SIGKILL');
}

/**
 * Runs a program, with pipes.
 * @throws {Error} there is no room for the process, or for its pipes
 */
export function spawnWithPipes(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'timeout' | 'killSignal'> = {},
): ChildProcessByStdio<Writable, Readable, Readable> {
  const child = spawn(program, args, { ...options, env: childEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] });
  const { stdout }: { readonly stdout: Readable | undefined } = child;
  if (stdout) return child;
  // The event follows, and without a listener would end this process.
  child.on('error', () => {});
  throw new Error(`${program} cannot be started: no file descriptor is left`);
}

/**
 * Preloaded into a server (`NODE_OPTIONS`) and, by it, into its children, so that writes of recorded parts fail as the
 * file `FAULTY_DISK` says. For machines on which a test may not mount a file system, and for what no mounted one does.
 */
import childProcess, { type ForkOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 50;
const PART = /\/part-\d+\.(?:mkv|webm)$/;
/** The folder of a recording. */
const FOLDER = /\/[0-9a-f]{32}\/[\w-]{22}$/;
const control = process.env['FAULTY_DISK'];

const state = (): string => {
  try {
    return readFileSync(control!, 'utf8');
  } catch {
    return 'works';
  }
};

function failIf(fault: string, code: string, syscall: string): void {
  if (state() === fault) throw Object.assign(new Error(`${code}: the disk of the test is ${fault}`), { code, syscall });
}

function faulty(handle: FileHandle): FileHandle {
  const write = handle.write.bind(handle) as (...args: unknown[]) => Promise<unknown>;
  const slowWrite = async (...args: unknown[]): Promise<unknown> => {
    while (state() === 'slow') await delay(POLL_MS);
    failIf('full', 'ENOSPC', 'write');
    return await write(...args);
  };
  return Object.assign(handle, { write: slowWrite });
}

/** The server gives its children neither its environment nor the permission to read more than they need. */
function preloadInto({ env, execArgv = [], ...others }: ForkOptions): ForkOptions {
  const readable = execArgv.includes('--permission') ? [import.meta.filename, control!] : [];
  return {
    ...others,
    env: { ...env, NODE_OPTIONS: process.env['NODE_OPTIONS'], FAULTY_DISK: control },
    execArgv: [...execArgv, ...readable.map((path) => `--allow-fs-read=${path}`)],
  };
}

if (control !== undefined) {
  const { fork } = childProcess;
  Object.assign(childProcess, { fork: (file: string, options: ForkOptions) => fork(file, preloadInto(options)) });
  const { open, mkdir } = fs;
  Object.assign(fs, {
    async open(...args: Parameters<typeof open>) {
      const isPart = typeof args[0] === 'string' && PART.test(args[0]) && args[1] !== 'r';
      if (isPart) failIf('read-only', 'EROFS', 'open');
      const handle = await open(...args);
      return isPart ? faulty(handle) : handle;
    },
    async mkdir(...args: Parameters<typeof mkdir>) {
      if (FOLDER.test(String(args[0]))) failIf('read-only', 'EROFS', 'mkdir');
      return await mkdir(...args);
    },
  });
  syncBuiltinESMExports();
}

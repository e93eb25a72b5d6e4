/** Runs in a sandbox: tries what a message names, and sends back the code of the refusal, or `allowed`. */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

export interface SandboxAttempt {
  readonly action: 'read' | 'write' | 'spawn' | 'thread' | 'variable';
  /** A path, a program, a module, or the name of a variable. */
  readonly subject: string;
}

const attempts: Record<SandboxAttempt['action'], (subject: string) => unknown> = {
  read: (path) => readFile(path),
  write: (path) => writeFile(path, ''),
  spawn: (program) => spawn(program),
  thread: (module) => new Worker(module),
  variable: (name) => {
    if (process.env[name] === undefined) throw Object.assign(new Error(), { code: 'UNSET' });
  },
};

process.on('message', async ({ action, subject }: SandboxAttempt) => {
  const send = (result: string): void => void process.send?.(result);
  try {
    await attempts[action](subject);
    send('allowed');
  } catch (error) {
    send(error instanceof Error && 'code' in error ? String(error.code) : String(error));
  }
});

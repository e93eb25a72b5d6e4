import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runCli } from '../../server/cli/run-cli.js';

const COMMAND = join(import.meta.dirname, '../../server/bin/streamgate.js');

export interface CliAnswer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process, with these environment variables only. */
export async function runStreamgate(
  env: Readonly<Record<string, string | undefined>>,
  ...argv: string[]
): Promise<CliAnswer> {
  const output = { stdout: '', stderr: '' };
  const status = await runCli(argv, {
    env,
    stdout: (text) => (output.stdout += `${text}\n`),
    stderr: (text) => (output.stderr += `${text}\n`),
  });
  return { status, ...output };
}

/** Runs a command of the build in a process of its own, in a folder, with these environment variables only. */
export async function runStreamgateProcess(
  folder: string,
  env: Readonly<Record<string, string>>,
  ...argv: string[]
): Promise<CliAnswer> {
  const child = spawn(process.execPath, [COMMAND, ...argv], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status, stdout, stderr };
}

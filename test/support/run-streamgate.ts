import { runCli } from '../../server/cli/run-cli.js';

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

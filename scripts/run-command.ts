import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Arguments of `node` that run TypeScript without a build. The path is absolute, for processes in other folders. */
export const typescriptArguments: readonly string[] = [
  '--import',
  fileURLToPath(new URL('load-typescript.js', import.meta.url)),
];

export interface CommandResult {
  ok: boolean;
  output: string;
  seconds: number;
}

/**
 * Runs a command of node_modules/.bin or the PATH in the repository. Prints its output and returns it.
 * @param options with `withinMs`, a command that takes longer is ended and has failed
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string; quiet?: boolean; withinMs?: number } = {},
): Promise<CommandResult> {
  const started = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.withinMs !== undefined && { timeout: options.withinMs }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (!options.quiet) process.stdout.write(text);
    });
  }
  const ok = await new Promise<boolean>((resolve) => {
    child.on('error', (error) => {
      output += error.message;
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
  return { ok, output, seconds: (performance.now() - started) / 1000 };
}

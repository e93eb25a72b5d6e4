import { userInfo } from 'node:os';
import { readConfig } from '../config/config.js';
import { runAsActor } from '../oversight/actor.js';
import { cliFailureOf } from './cli-failure.js';
import { commandHelp, usage } from './command-help.js';
import { CommandError, UsageError, type CommandResult } from './command.js';
import { parseCommandLine, type ParsedCommandLine } from './parse-command-line.js';

export interface CliEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Each takes whole lines, without the newline. */
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/**
 * Runs one command.
 * @returns the exit status: 0 done, 1 could not be done, 2 not understood, or what the command says
 */
export async function runCli(argv: readonly string[], { env, stdout, stderr }: CliEnvironment): Promise<number> {
  const json = argv.includes('--json');
  try {
    const call = parseCommandLine(argv);
    if ('help' in call) {
      stdout(json ? succeeded({ data: { usage: call.help } }) : call.help);
      return 0;
    }
    const result = await run(call, env);
    if (!result) return 0;
    stdout(json ? succeeded(result) : result.text);
    if (result.note && !json) stderr(result.note);
    return result.exitStatus ?? 0;
  } catch (error) {
    const { code, status, message } = cliFailureOf(error);
    const details = error instanceof CommandError ? error.details : {};
    if (json) stdout(JSON.stringify({ status: 'fail', data: { ...details, message, code } }));
    else stderr(status === 2 ? `${message}\n\n${helpFor(error)}` : message);
    return status;
  }
}

async function run(
  { command, ...said }: Exclude<ParsedCommandLine, { readonly help: string }>,
  env: CliEnvironment['env'],
): Promise<CommandResult | undefined> {
  const config = readConfig(env);
  const actor = { by: 'cli', id: userName() } as const;
  try {
    return await runAsActor(actor, () => command.run({ ...said, config, env }));
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, { command, cause: error }) : error;
  }
}

/** Null: the system knows no name for this user, as in some containers. */
function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

/** A command that was named is shown with its own options, and else all commands. */
function helpFor(error: unknown): string {
  return error instanceof UsageError && error.command ? commandHelp(error.command) : usage();
}

function succeeded({ data }: Pick<CommandResult, 'data'>): string {
  return JSON.stringify({ status: 'success', data });
}

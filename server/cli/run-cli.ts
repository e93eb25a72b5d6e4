import { userInfo } from 'node:os';
import { readConfig } from '../config.js';
import { actingAs } from '../oversight/actor.js';
import { failureOf } from './cli-failure.js';
import { commandHelp, usage } from './command-help.js';
import { CommandError, UsageError, type CommandResult } from './command.js';
import { readCall, type Call } from './read-call.js';

export interface CliSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Each takes whole lines, without the newline. */
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/**
 * Runs one command.
 * @returns the exit status: 0 done, 1 could not be done, 2 not understood, or what the command says
 */
export async function runCli(argv: readonly string[], { env, stdout, stderr }: CliSurroundings): Promise<number> {
  const json = argv.includes('--json');
  try {
    const call = readCall(argv);
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
    const { code, status, message } = failureOf(error);
    const details = error instanceof CommandError ? error.details : {};
    if (json) stdout(JSON.stringify({ status: 'fail', data: { ...details, message, code } }));
    else stderr(status === 2 ? `${message}\n\n${helpFor(error)}` : message);
    return status;
  }
}

async function run(
  { command, ...said }: Exclude<Call, { readonly help: string }>,
  env: CliSurroundings['env'],
): Promise<CommandResult | undefined> {
  const config = readConfig(env);
  const actor = { by: 'cli', id: userName() } as const;
  try {
    return await actingAs(actor, () => command.run({ ...said, config, env }));
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

import { userInfo } from 'node:os';
import { readConfig } from '../config/config.js';
import { runAsActor } from '../oversight/actor.js';
import { cliFailureOf } from './cli-failure.js';
import { helpOf, parseCommandLine, type ParsedCommandLine } from './command-line.js';
import { CommandError, UsageError, type CliCommand, type CommandInvocation, type CommandResult } from './command.js';

export interface CliEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Both take whole lines, without the newline at the end. */
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/**
 * Runs one command.
 * @returns the exit status: 0 done, 1 could not be done, 2 not understood, or the status of the command's result
 */
export async function runCli(argv: readonly string[], { env, stdout, stderr }: CliEnvironment): Promise<number> {
  const json = argv.includes('--json');
  try {
    const parsed = parseCommandLine(argv);
    if ('shows' in parsed) {
      stdout(json ? successJson({ [parsed.shows]: parsed.text }) : parsed.text);
      return 0;
    }
    const result = await run(parsed, env, json ? () => {} : stderr);
    if (!result) return 0;
    stdout(json ? successJson(result.data) : result.text);
    if (result.note && !json) stderr(result.note);
    return result.exitStatus ?? 0;
  } catch (error) {
    const { code, status, message } = cliFailureOf(error);
    const details = error instanceof CommandError ? error.details : {};
    if (json) stdout(JSON.stringify({ status: 'fail', data: { ...details, message, code } }));
    else stderr(status === 2 ? withHelp(message, error instanceof UsageError ? error.command : undefined) : message);
    return status;
  }
}

async function run(
  { command, ...invocation }: Extract<ParsedCommandLine, { readonly command: CliCommand }>,
  env: CliEnvironment['env'],
  report: CommandInvocation['report'],
): Promise<CommandResult | undefined> {
  const config = readConfig(env);
  const actor = { by: 'cli', id: userName() } as const;
  try {
    return await runAsActor(actor, () => command.run({ ...invocation, config, env, report }));
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, { command, cause: error }) : error;
  }
}

/** Without the list of all commands, which is so long that it would push the message out of the window. */
function withHelp(message: string, command: CliCommand | undefined): string {
  return command ? `${message}\n\n${helpOf(command)}` : `${message}\nstreamgate help lists all commands.`;
}

/** Null: the system has no name for this user, as in some containers. */
function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

function successJson(data: unknown): string {
  return JSON.stringify({ status: 'success', data });
}

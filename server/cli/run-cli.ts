import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../config.js';
import { ApiError } from '../errors.js';
import { MediaError } from '../media/media-engine.js';
import { DataDirError } from '../store/database.js';
import { DatabaseError } from '../store/postgres.js';
import { SealBrokenError } from '../tokens/value-seal.js';
import { CommandError, UsageError, type Command, type CommandResult } from './command.js';
import { callOf, commands, usage } from './commands.js';

export interface CliSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Each takes whole lines, without the newline. */
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/**
 * Runs one command.
 * @returns the exit status: 0 done, 1 could not be done, 2 not understood
 */
export async function runCli(argv: readonly string[], { env, stdout, stderr }: CliSurroundings): Promise<number> {
  const json = argv.includes('--json');
  try {
    const call = readCall(argv);
    if (call === 'help') {
      stdout(json ? succeeded({ data: { usage: usage() }, text: '' }) : usage());
      return 0;
    }
    const { command, operands, account } = call;
    const result = await command.run({ operands, account, config: readConfig(env) });
    if (!result) return 0;
    stdout(json ? succeeded(result) : result.text);
    if (result.note && !json) stderr(result.note);
    return 0;
  } catch (error) {
    const { code, status, message } = failureOf(error);
    if (json) stdout(JSON.stringify({ status: 'fail', data: { message, code } }));
    else stderr(status === 2 ? `${message}\n\n${usage()}` : message);
    return status;
  }
}

interface Call {
  readonly command: Command;
  readonly operands: readonly string[];
  readonly account: string | undefined;
}

function readCall(argv: readonly string[]): Call | 'help' {
  const { values, positionals } = readArguments(argv);
  if (values.help || positionals[0] === 'help') return 'help';

  const words = positionals.length > 0 ? positionals : [commands[0].name];
  const command = commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
  if (!command) throw new UsageError(`There is no command: ${words.join(' ')}`);

  const operands = words.slice(command.name.split(' ').length);
  const tooMuch = values.account !== undefined && !command.takesAccount;
  if (tooMuch || operands.length !== (command.operands ?? []).length) {
    throw new UsageError(`Call it as: streamgate ${callOf(command)}`);
  }
  return { command, operands, account: values.account };
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        account: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function succeeded({ data }: CommandResult): string {
  return JSON.stringify({ status: 'success', data });
}

/** What is not among these is a fault of ours: it goes up, to end the process with its stack. */
function failureOf(error: unknown): { code: string; status: 1 | 2; message: string } {
  if (error instanceof UsageError) return { code: 'usage', status: 2, message: error.message };
  if (error instanceof ConfigError) return { code: 'invalid_config', status: 1, message: error.message };
  if (error instanceof DataDirError || error instanceof SealBrokenError) {
    return { code: 'data_dir_unusable', status: 1, message: error.message };
  }
  if (error instanceof DatabaseError) return { code: 'database_unusable', status: 1, message: error.message };
  if (isListenError(error)) return { code: 'port_unavailable', status: 1, message: listenMessage(error) };
  if (error instanceof MediaError) return { code: error.code, status: 1, message: error.message };
  if (error instanceof CommandError || error instanceof ApiError) {
    return { code: error.code, status: 1, message: error.message };
  }
  throw error;
}

function isListenError(error: unknown): error is NodeJS.ErrnoException & { readonly port?: number } {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen';
}

function listenMessage({ code, message, port }: NodeJS.ErrnoException & { readonly port?: number }): string {
  const place = `port ${port ?? ''}`;
  if (code === 'EADDRINUSE') return `${place} is in use, by another server perhaps: stop it, or set PORT to another`;
  if (code === 'EACCES') return `${place} is not for this user: set PORT to one above 1023`;
  return message;
}

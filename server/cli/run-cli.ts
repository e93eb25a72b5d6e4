import { userInfo } from 'node:os';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { ConfigError, readConfig } from '../config.js';
import { ApiError } from '../errors.js';
import { MediaError } from '../media/media-engine.js';
import { DataDirError } from '../store/database.js';
import { DatabaseError } from '../store/postgres.js';
import { EncryptionKeyError } from '../store/server-keys.js';
import { SealBrokenError } from '../tokens/value-seal.js';
import { ManagementError } from '../../src/management/management-error.js';
import { actingAs } from '../oversight/actor.js';
import { CommandError, UsageError, type Command, type CommandResult, type OptionValues } from './command.js';
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
    if ('help' in call) {
      stdout(json ? succeeded({ data: { usage: call.help }, text: '' }) : call.help);
      return 0;
    }
    const { command, ...said } = call;
    const config = readConfig(env);
    const actor = { by: 'cli', id: userName() } as const;
    const result = await actingAs(actor, () => command.run({ ...said, config, env }));
    if (!result) return 0;
    stdout(json ? succeeded(result) : result.text);
    if (result.note && !json) stderr(result.note);
    return 0;
  } catch (error) {
    const { code, status, message } = failureOf(error);
    const details = error instanceof CommandError ? error.details : {};
    if (json) stdout(JSON.stringify({ status: 'fail', data: { ...details, message, code } }));
    else stderr(status === 2 ? `${message}\n\n${usage()}` : message);
    return status;
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

interface Call {
  readonly command: Command;
  readonly operands: readonly string[];
  readonly account: string | undefined;
  readonly options: OptionValues;
}

function readCall(argv: readonly string[]): Call | { readonly help: string } {
  const { values, positionals } = readArguments(argv);
  const words = positionals.length > 0 ? positionals : [commands[0].name];
  // The longest name counts: there are `stream stop` and `stream stop all`.
  const command = commands
    .filter(({ name }) => name === words.slice(0, name.split(' ').length).join(' '))
    .toSorted((one, other) => other.name.length - one.name.length)[0];
  if (values['help'] || positionals[0] === 'help') {
    const own = positionals.length > 0 && command?.options;
    return { help: own ? `Usage: streamgate ${callOf(command)}\n\n${command.summary}` : usage() };
  }
  if (!command) throw new UsageError(`There is no command: ${words.join(' ')}`);

  const operands = words.slice(command.name.split(' ').length);
  const { account, json: _json, help: _help, ...given } = values;
  const taken = command.options ?? {};
  const tooMuch =
    (account !== undefined && !command.takesAccount) ||
    Object.keys(given).some((name) => !(name in taken)) ||
    Object.entries(taken).some(([name, { required }]) => required && given[name] === undefined);
  if (tooMuch || !isCountOf(command.operands ?? [], operands.length)) {
    throw new UsageError(`Call it as: streamgate ${callOf(command)}`);
  }
  return { command, operands, account: textsOf(account)?.at(-1), options: valuesOf(given) };
}

function isCountOf(wanted: readonly string[], given: number): boolean {
  return wanted.at(-1)?.endsWith('…') ? given >= wanted.length : given === wanted.length;
}

/** All as lists: which of them may be given once only is not worth refusing, the last one counts. */
function optionsOf(names: readonly string[]): ParseArgsOptionsConfig {
  return Object.fromEntries(names.map((name) => [name, { type: 'string', multiple: true } as const]));
}

type Given = string | boolean | (string | boolean)[] | undefined;

function valuesOf(given: Readonly<Record<string, Given>>): OptionValues {
  return { one: (name) => textsOf(given[name])?.at(-1), all: (name) => textsOf(given[name]) };
}

function textsOf(given: Given): readonly string[] | undefined {
  return given === undefined ? undefined : [given].flat().map(String);
}

function readArguments(argv: readonly string[]): {
  readonly values: Readonly<Record<string, Given>>;
  readonly positionals: readonly string[];
} {
  const names = ['account', ...commands.flatMap(({ options = {} }) => Object.keys(options))];
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        ...optionsOf(names),
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
  if (error instanceof EncryptionKeyError) return { code: 'encryption_key_wrong', status: 1, message: error.message };
  if (error instanceof DatabaseError) return { code: 'database_unusable', status: 1, message: error.message };
  if (isListenError(error)) return { code: 'port_unavailable', status: 1, message: listenMessage(error) };
  if (error instanceof MediaError) return { code: error.code, status: 1, message: error.message };
  if (error instanceof CommandError || error instanceof ApiError || error instanceof ManagementError) {
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

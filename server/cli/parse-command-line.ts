import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearestName } from '../config/nearest-name.js';
import { UsageError, type CliCommand, type OptionValues } from './command.js';
import { commandHelp, groupHelp, usage } from './command-help.js';
import { commandUsage, commands } from './commands.js';

/** A command line, understood: a command with what it was called with, or a text that was asked for. */
export type ParsedCommandLine =
  | {
      readonly command: CliCommand;
      readonly operands: readonly string[];
      readonly account: string | undefined;
      readonly options: OptionValues;
    }
  | { readonly help: string };

type Given = string | boolean | (string | boolean)[] | undefined;

/**
 * Reads a command line. Options may stand anywhere; the command is found first, and then held to its own options.
 * @throws {UsageError} with the command, where one was named
 */
export function parseCommandLine(argv: readonly string[]): ParsedCommandLine {
  const { words, asksHelp } = wordsOf(argv);
  const command = commandOf(words);
  if (asksHelp) return { help: helpOn(words, command) };
  if (!command) throw unknownCommand(words);

  const { values, positionals } = readOptions(argv, command);
  const operands = positionals.slice(positionals.length === 0 ? 0 : command.name.split(' ').length);
  const { account, json: _json, ...given } = values;
  const missing = Object.entries(command.options ?? {})
    .filter(([name, { required }]) => required && given[name] === undefined)
    .map(([name]) => `--${name}`);
  if (missing.length > 0) throw new UsageError(`${command.name} needs ${missing.join(' and ')}`, { command });
  if (!isCountOf(command.operands ?? [], operands.length)) {
    throw new UsageError(`Call it as: streamgate ${commandUsage(command)}`, { command });
  }
  return { command, operands, account: textsOf(account)?.at(-1), options: valuesOf(given) };
}

/** The words that are no option. Of no use but to find the command: an option that is not known has no value here. */
function wordsOf(argv: readonly string[]): { readonly words: readonly string[]; readonly asksHelp: boolean } {
  const names = ['account', ...commands.flatMap(({ options = {} }) => Object.keys(options))];
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    strict: false,
    options: { ...textOptions(names), json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  const [first, ...more] = positionals;
  return first === 'help' ? { words: more, asksHelp: true } : { words: positionals, asksHelp: Boolean(values['help']) };
}

/** The longest name counts: there are `stream stop` and `stream stop all`. No word at all means the first command. */
function commandOf(words: readonly string[]): CliCommand | undefined {
  if (words.length === 0) return commands[0];
  return commands
    .filter(({ name }) => name === words.slice(0, name.split(' ').length).join(' '))
    .toSorted((one, other) => other.name.length - one.name.length)[0];
}

function helpOn(words: readonly string[], command: CliCommand | undefined): string {
  if (words.length === 0) return usage();
  if (command) return commandHelp(command);
  const group = commands.filter(({ name }) => name.startsWith(`${words.join(' ')} `));
  if (group.length === 0) throw unknownCommand(words);
  return groupHelp(group);
}

function unknownCommand(words: readonly string[]): UsageError {
  const meant = nearestName(
    words.slice(0, 2).join(' '),
    commands.map(({ name }) => name),
    limit,
  );
  return new UsageError(`There is no command: ${words.join(' ')}${meant ? `. Did you mean: ${meant}?` : ''}`);
}

function readOptions(
  argv: readonly string[],
  command: CliCommand,
): { readonly values: Readonly<Record<string, Given>>; readonly positionals: readonly string[] } {
  const names = [...(command.takesAccount ? ['account'] : []), ...Object.keys(command.options ?? {})];
  const config = {
    args: [...argv],
    allowPositionals: true,
    options: { ...textOptions(names), json: { type: 'boolean' } },
  } satisfies ParseArgsConfig;
  const { tokens } = parseArgs({ ...config, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option' || token.name in config.options) continue;
    const meant = nearestName(token.name, names, limit);
    const hint = meant ? `. Did you mean --${meant}?` : '';
    throw new UsageError(`${command.name} has no option ${token.rawName}${hint}`, { command });
  }
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { command, cause: error });
  }
}

/** How many edits a word may be away from a name to be taken for a mistyped one. */
function limit(length: number): number {
  return Math.max(1, Math.floor(length / 3));
}

function isCountOf(wanted: readonly string[], given: number): boolean {
  return wanted.at(-1)?.endsWith('…') ? given >= wanted.length : given === wanted.length;
}

/** All as lists: which of them may be given once only is not worth refusing, the last one counts. */
function textOptions(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { type: 'string', multiple: true } as const]));
}

function valuesOf(given: Readonly<Record<string, Given>>): OptionValues {
  return { one: (name) => textsOf(given[name])?.at(-1), all: (name) => textsOf(given[name]) };
}

function textsOf(given: Given): readonly string[] | undefined {
  return given === undefined ? undefined : [given].flat().map(String);
}

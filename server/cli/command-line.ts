import { CommanderError } from 'commander';
import { CommandTree } from './command-tree.js';
import { UsageError, type CliCommand, type OptionValues } from './command.js';
import { commandSynopsis } from './commands.js';

/** A command to run, or a text to show. */
export type ParsedCommandLine =
  | {
      readonly command: CliCommand;
      readonly operands: readonly string[];
      readonly account: string | undefined;
      readonly options: OptionValues;
    }
  | { readonly shows: 'usage' | 'version'; readonly text: string };

/**
 * Reads a command line. `--account` and `--json` may stand anywhere, other options after the name of their command.
 * @throws {UsageError}
 */
export function parseCommandLine(argv: readonly string[]): ParsedCommandLine {
  const args = helpAsOption(argv);
  const tree = new CommandTree();
  let command: CliCommand | undefined;
  try {
    command = tree.find(args);
    tree.root.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return { shows: 'usage', text: tree.output };
    if (error.code === 'commander.version') return { shows: 'version', text: tree.output };
    throw new UsageError(messageOf(error, command), { ...(command && { command }), cause: error });
  }
  const { operands, account, options } = tree.valuesOf(command);
  if (account !== undefined && !command.takesAccount) {
    throw new UsageError(`${command.name} has no option --account`, { command });
  }
  const missing = Object.entries(command.options ?? {})
    .filter(([name, { required }]) => required && options.all(name) === undefined)
    .map(([name]) => `--${name}`);
  if (missing.length > 0) throw new UsageError(`${command.name} needs ${missing.join(' and ')}`, { command });
  return { command, operands, account, options };
}

/** The help of one command, or of all of them. */
export function helpOf(command: CliCommand | undefined): string {
  return new CommandTree().helpOf(command);
}

/** `help token create` means `token create --help`. */
function helpAsOption(argv: readonly string[]): readonly string[] {
  const index = argv.findIndex((word) => !word.startsWith('-'));
  return argv[index] === 'help' ? [...argv.toSpliced(index, 1), '--help'] : argv;
}

function messageOf({ code, message }: CommanderError, command: CliCommand | undefined): string {
  const unknown = /unknown option '(.*?)'(?:\n\(Did you mean (.*)\?\))?$/s.exec(message);
  if (command && unknown) {
    const [, option, meant] = unknown;
    return `${command.name} has no option ${option}${meant ? `. Did you mean ${meant}?` : ''}`;
  }
  const isCountWrong = code === 'commander.missingArgument' || code === 'commander.excessArguments';
  if (command && isCountWrong) return `Call it as: streamgate ${commandSynopsis(command)}`;
  return message.replace(/^error: /, '');
}

import { Command, CommanderError, Option } from 'commander';
import { SERVER_VERSION } from '../server-version.js';
import { nearestName } from '../nearest-name.js';
import { UsageError, type CliCommand, type CommandOption, type OptionValues } from './command.js';
import { commands, commandSynopsis } from './commands.js';

const HELP_WIDTH = 120;

const SETTINGS = `
Settings come from the environment, or from a file .env in the current folder. With STREAMGATE_SECRET, commands call the
server at STREAMGATE_ENDPOINT, for the account of that secret. Without it, they use the data folder (DATA_DIR, or ./data).

Exit status: 0 done, 1 could not be done, 2 not understood; of explain 3 where the answer is a refusal.`;

/**
 * The commands as a tree for commander: `token` is the parent of `token create`. A tree reads one command line,
 * because commander keeps the values in it.
 */
export class CommandTree {
  readonly root: Command;
  readonly #commands = new Map<Command, CliCommand>();
  #output = '';

  constructor() {
    this.root = new Command('streamgate')
      .usage('[COMMAND] [options]')
      .helpCommand(false)
      .helpOption('-h, --help', 'show this, or the options of a command')
      .version(SERVER_VERSION, '--version', 'show the version')
      .option('--account <ID>', 'the account; not needed while there is only one')
      .option('--json', 'answer with one line of JSON on stdout')
      .addHelpText('after', SETTINGS)
      .exitOverride()
      .configureOutput({
        writeOut: (text) => (this.#output += text),
        writeErr: () => {},
        getOutHelpWidth: () => HELP_WIDTH,
      })
      .configureHelp({
        visibleCommands: (shown) => (this.#commands.has(shown) ? [] : this.#leavesBelow(shown)),
        subcommandTerm: (leaf) => commandSynopsis(this.#commandOf(leaf)),
        subcommandDescription: (leaf) => this.#commandOf(leaf).summary,
        optionTerm: ({ flags }) => flags.replaceAll(/[<>]/g, ''),
      })
      .action(() => {});
    for (const command of commands) this.#add(command);
  }

  /** What commander printed. */
  get output(): string {
    return this.#output.trimEnd();
  }

  /**
   * The command that a command line names: the one with the longest name. Without a name: the first command.
   * @throws {UsageError} there is no such command
   */
  find(args: readonly string[]): CliCommand {
    const { operands } = this.root.parseOptions([...args]);
    let node = this.root;
    let depth = 0;
    for (let child; (child = childOf(node, operands[depth])); depth += 1) node = child;
    const command = this.#commands.get(node);
    if (command) return command;
    const isGroupHelp = depth === operands.length && args.some((arg) => HELP_OPTIONS.has(arg));
    // commander prints the help of a group before it looks at any command.
    if (operands.length === 0 || isGroupHelp) return commands[0];
    throw unknownCommand(operands);
  }

  /** The values that commander parsed for a command. */
  valuesOf(command: CliCommand): CommandLineValues {
    const leaf = this.#leafOf(command);
    const given = leaf.opts<Record<string, true | readonly string[]>>();
    const all = (name: string): readonly string[] | undefined => {
      const option = leaf.options.find(({ long }) => long === `--${name}`);
      const value = option && given[option.attributeName()];
      return value === true ? ['true'] : value;
    };
    const { account } = this.root.opts<{ account?: string }>();
    return { operands: leaf.args, account, options: { all, one: (name) => all(name)?.at(-1) } };
  }

  /** The help of one command, or of all of them. */
  helpOf(command: CliCommand | undefined): string {
    const shown = command ? this.#leafOf(command) : this.root;
    shown.outputHelp();
    return this.output;
  }

  #add(command: CliCommand): void {
    const leaf = command.name
      .split(' ')
      .reduce((parent, word) => childOf(parent, word) ?? parent.command(word), this.root);
    leaf
      .description(command.summary)
      .usage(commandSynopsis(command).slice(command.name.length + 1))
      .action(() => {});
    for (const operand of command.operands ?? []) leaf.argument(`<${operand.replace('…', '...')}>`);
    for (const [name, option] of Object.entries(command.options ?? {})) leaf.addOption(commanderOption(name, option));
    this.#commands.set(leaf, command);
  }

  #leafOf(wanted: CliCommand): Command {
    const [leaf = this.root] = [...this.#commands].find(([, command]) => command === wanted) ?? [];
    return leaf;
  }

  #commandOf(leaf: Command): CliCommand {
    return this.#commands.get(leaf) ?? commands[0];
  }

  #leavesBelow(node: Command): Command[] {
    return node.commands.flatMap((child) => [
      ...(this.#commands.has(child) ? [child] : []),
      ...this.#leavesBelow(child),
    ]);
  }
}

interface CommandLineValues {
  readonly operands: readonly string[];
  readonly account: string | undefined;
  readonly options: OptionValues;
}

const HELP_OPTIONS: ReadonlySet<string> = new Set(['-h', '--help']);

function childOf(parent: Command, word: string | undefined): Command | undefined {
  return parent.commands.find((child) => child.name() === word);
}

function commanderOption(name: string, { choices, description, multiple, required, ...given }: CommandOption): Option {
  const notes = [required && 'required', multiple && 'may be given several times'].filter(Boolean).join(', ');
  const value = choices?.join('|') ?? given.value;
  const flags = value === undefined ? `--${name}` : `--${name} <${value}>`;
  const option = new Option(flags, notes ? `${description} (${notes})` : description);
  if (value === undefined) return option;
  return option.argParser((text, previous: readonly string[] = []) => {
    if (choices && !choices.includes(text)) throw notChosen(name, choices);
    return [...previous, text];
  });
}

function notChosen(name: string, choices: readonly string[]): CommanderError {
  return new CommanderError(2, 'streamgate.notChosen', `--${name} must be ${CHOICE.format(choices)}`);
}

const CHOICE = new Intl.ListFormat('en', { type: 'disjunction' });

function unknownCommand(words: readonly string[]): UsageError {
  const names = commands.map(({ name }) => name);
  const meant = nearestName(words.slice(0, 2).join(' '), names, (length) => Math.max(1, Math.floor(length / 3)));
  return new UsageError(`There is no command: ${words.join(' ')}${meant ? `. Did you mean: ${meant}?` : ''}`);
}

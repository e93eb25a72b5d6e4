import type { Config } from '../config/config.js';

/** What a command is run with. */
export interface CommandInvocation {
  /** The words after the name of the command, as many as its `operands`. */
  readonly operands: readonly string[];
  readonly account: string | undefined;
  readonly options: OptionValues;
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Tells the person how far long work is, by a whole line. */
  readonly report: (line: string) => void;
}

/** An option `--name VALUE`, or `--name` alone. */
export interface CommandOption {
  /** What help shows for the value, such as `NAME`. Without it and `choices` the option takes no value, and reads as `true`. */
  readonly value?: string;
  /** The only values. */
  readonly choices?: readonly string[];
  readonly description: string;
  /** The option may be given several times, one value each. */
  readonly multiple?: true;
  readonly required?: true;
}

/** The options of a command by name, beside `--account` and `--json`. */
export type CommandOptions = Readonly<Record<string, CommandOption>>;

export interface OptionValues {
  /** The value; the last one if the option was given several times. */
  one(name: string): string | undefined;
  /** Every value. Undefined: the option was not given. */
  all(name: string): readonly string[] | undefined;
}

/** The output of a command. `text` goes to stdout, or `data` with `--json`. `note` goes to stderr. */
export interface CommandResult {
  readonly data: unknown;
  readonly text: string;
  readonly note?: string;
  /** Absent: 0. */
  readonly exitStatus?: number;
}

export interface CliCommand {
  /** One to three words. */
  readonly name: string;
  readonly summary: string;
  /** The last one may end with `…`: one or more words. */
  readonly operands?: readonly string[];
  readonly takesAccount?: boolean;
  readonly options?: CommandOptions;
  /** Resolves to undefined if there is nothing to print, as for `serve`. */
  run(invocation: CommandInvocation): Promise<CommandResult | undefined>;
}

/** The command line is wrong: exit status 2, and the help is shown. */
export class UsageError extends Error {
  override name = 'UsageError';
  /** The command whose help is shown. Undefined: the help of all commands. */
  readonly command: CliCommand | undefined;

  constructor(message: string, { command, ...options }: ErrorOptions & { readonly command?: CliCommand } = {}) {
    super(message, options);
    this.command = command;
  }
}

/** The command could not be done: exit status 1. */
export class CommandError extends Error {
  override name = 'CommandError';

  constructor(
    readonly code: string,
    message: string,
    /** Further fields of the answer with `--json`, beside `code` and `message`. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

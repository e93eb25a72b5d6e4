import type { Config } from '../config/config.js';

/** What a command was called with, beside its own name. */
export interface CommandInvocation {
  /** The words after the command's name, as many as `operands` asks for. */
  readonly operands: readonly string[];
  readonly account: string | undefined;
  readonly options: OptionValues;
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a command takes as `--name VALUE`, beside `--account` and `--json`. */
export type CommandOptions = Readonly<
  Record<string, { readonly value: string; readonly multiple?: true; readonly required?: true }>
>;

export interface OptionValues {
  one(name: string): string | undefined;
  /** Undefined: the option was not given at all. */
  all(name: string): readonly string[] | undefined;
}

/** What a command has to say: `data` to a program, `text` to a person. Both go to stdout, `note` to stderr. */
export interface CommandResult {
  readonly data: unknown;
  readonly text: string;
  readonly note?: string;
  /** In place of 0: the command was done, and what it found has a status of its own. */
  readonly exitStatus?: number;
}

export interface CliCommand {
  /** One or two words. */
  readonly name: string;
  readonly summary: string;
  /** The last one may end with `…`: once or more often. */
  readonly operands?: readonly string[];
  readonly takesAccount?: boolean;
  readonly options?: CommandOptions;
  /** Nothing to say: `serve`, which goes on until it is stopped. */
  run(call: CommandInvocation): Promise<CommandResult | undefined>;
}

/** The command line cannot be understood: exit status 2, with the usage. */
export class UsageError extends Error {
  override name = 'UsageError';
  /** The command that was named, where one was: its options are shown. */
  readonly command: CliCommand | undefined;

  constructor(message: string, { command, ...options }: ErrorOptions & { readonly command?: CliCommand } = {}) {
    super(message, options);
    this.command = command;
  }
}

/** The command was understood and cannot be done: exit status 1. */
export class CommandError extends Error {
  override name = 'CommandError';

  constructor(
    readonly code: string,
    message: string,
    /** Told to a program, beside the two. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

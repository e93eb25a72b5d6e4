import type { Command } from './command.js';
import { accountCreateCommand, accountListCommand } from './commands/account.js';
import { dashboardCommand } from './commands/dashboard.js';
import { secretCreateCommand, secretDeleteCommand, secretRefreshCommand } from './commands/secret.js';
import { serveCommand } from './commands/serve.js';

/** Every command but `help`, in the order in which help lists them. The first is meant when none is named. */
export const commands: readonly [Command, ...Command[]] = [
  serveCommand,
  dashboardCommand,
  accountCreateCommand,
  accountListCommand,
  secretCreateCommand,
  secretRefreshCommand,
  secretDeleteCommand,
];

export function usage(): string {
  const lines = commands.map((command): [string, string] => [callOf(command), command.summary]);
  lines.push(['help', 'show this']);
  const width = Math.max(...lines.map(([call]) => call.length));
  return [
    'Usage: streamgate [COMMAND] [--json]',
    '',
    ...lines.map(([call, summary]) => `  ${call.padEnd(width)}  ${summary}`),
    '',
    '  --account ID  which account; not needed while there is only one',
    '  --json        answer as one line of JSON on stdout',
    '',
    'Settings come from the environment, or from a file .env in the present folder.',
  ].join('\n');
}

export function callOf({ name, operands = [], takesAccount }: Command): string {
  return [name, ...operands, ...(takesAccount ? ['[--account ID]'] : [])].join(' ');
}

import type { Command } from './command.js';
import { accountCreateCommand, accountListCommand } from './commands/account.js';
import { backupCommand } from './commands/backup.js';
import { dashboardCommand } from './commands/dashboard.js';
import { secretCreateCommand, secretDeleteCommand, secretRefreshCommand } from './commands/secret.js';
import { serveCommand } from './commands/serve.js';
import { auditCommand, explainCommand, refusalsCommand, unknownAccountRefusalsCommand } from './commands/oversight.js';
import { signCommand } from './commands/sign.js';
import { streamStopAllCommand, streamStopCommand } from './commands/stream.js';
import {
  tokenCreateCommand,
  tokenDeleteCommand,
  tokenDisableCommand,
  tokenListCommand,
  tokenLiveCommand,
  tokenRefreshCommand,
  tokenShowCommand,
  tokenUpdateCommand,
} from './commands/token.js';

/** Every command but `help`, in the order in which help lists them. The first is meant when none is named. */
export const commands: readonly [Command, ...Command[]] = [
  serveCommand,
  dashboardCommand,
  accountCreateCommand,
  accountListCommand,
  secretCreateCommand,
  secretRefreshCommand,
  secretDeleteCommand,
  tokenCreateCommand,
  tokenListCommand,
  tokenLiveCommand,
  tokenShowCommand,
  tokenUpdateCommand,
  tokenDisableCommand,
  tokenRefreshCommand,
  tokenDeleteCommand,
  signCommand,
  explainCommand,
  refusalsCommand,
  unknownAccountRefusalsCommand,
  auditCommand,
  streamStopCommand,
  streamStopAllCommand,
  backupCommand,
];

export function usage(): string {
  const lines = commands.map((command): [string, string] => [shortCallOf(command), command.summary]);
  lines.push(['help', 'show this']);
  const width = Math.max(...lines.map(([call]) => call.length));
  return [
    'Usage: streamgate [COMMAND] [--json]',
    '',
    ...lines.map(([call, summary]) => `  ${call.padEnd(width)}  ${summary}`),
    '',
    '  --account ID  which account; not needed while there is only one',
    '  --help        with a command: its options',
    '  --json        answer as one line of JSON on stdout',
    '',
    'Settings come from the environment, or from a file .env in the present folder. With STREAMGATE_SECRET the server at',
    'STREAMGATE_ENDPOINT is asked, as the account of that secret; without, the data folder.',
  ].join('\n');
}

/** With every option. */
export function callOf(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, { value, multiple, required }]) => {
    const option = `--${name} ${value}`;
    return required ? option : `[${option}]${multiple ? '…' : ''}`;
  });
  return [shortCallOf(command).replace(' [OPTIONS]', ''), ...options].join(' ');
}

function shortCallOf({ name, operands = [], takesAccount, options }: Command): string {
  return [name, ...operands, ...(takesAccount ? ['[--account ID]'] : []), ...(options ? ['[OPTIONS]'] : [])].join(' ');
}

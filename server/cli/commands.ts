import type { CliCommand } from './command.js';
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
export const commands: readonly [CliCommand, ...CliCommand[]] = [
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

/** How a command is called, with every option. */
export function commandUsage(command: CliCommand): string {
  const options = Object.entries(command.options ?? {}).map(([name, { value, multiple, required }]) => {
    const option = `--${name} ${value}`;
    return required ? option : `[${option}]${multiple ? '…' : ''}`;
  });
  return [commandSynopsis(command).replace(' [OPTIONS]', ''), ...options].join(' ');
}

/** How a command is called, without its options. */
export function commandSynopsis({ name, operands = [], takesAccount, options }: CliCommand): string {
  return [name, ...operands, ...(takesAccount ? ['[--account ID]'] : []), ...(options ? ['[OPTIONS]'] : [])].join(' ');
}

import type { CliCommand } from './command.js';
import { commandUsage, commands, commandSynopsis } from './commands.js';

const EXIT_STATUSES =
  'Exit status: 0 done, 1 could not be done, 2 not understood; of explain 3 where the answer is a refusal.';

/** Every command, and what holds for all of them. */
export function usage(): string {
  return [
    'Usage: streamgate [COMMAND] [--json]',
    '',
    ...listOf(commands, ['help [COMMAND]', 'show this, or the options of a command']),
    '',
    '  --account ID  which account; not needed while there is only one',
    '  --help        with a command: its options',
    '  --json        answer as one line of JSON on stdout',
    '',
    'Settings come from the environment, or from a file .env in the present folder. With STREAMGATE_SECRET the server at',
    'STREAMGATE_ENDPOINT is asked, as the account of that secret; without, the data folder (DATA_DIR, else ./data).',
    '',
    EXIT_STATUSES,
  ].join('\n');
}

/** One command with its options. */
export function commandHelp(command: CliCommand): string {
  return `Usage: streamgate ${commandUsage(command)}\n\n${command.summary}`;
}

/** The commands that begin with the same word. */
export function groupHelp(group: readonly CliCommand[]): string {
  return ['Usage:', '', ...listOf(group)].join('\n');
}

function listOf(listed: readonly CliCommand[], ...more: (readonly [string, string])[]): string[] {
  const lines = [...listed.map((command) => [commandSynopsis(command), command.summary] as const), ...more];
  const width = Math.max(...lines.map(([call]) => call.length));
  return lines.map(([call, summary]) => `  ${call.padEnd(width)}  ${summary}`);
}

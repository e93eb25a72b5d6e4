import type { CliCommand, CommandOption } from '../../server/cli/command.ts';

/** The page of all commands in docs/reference, by their first word. */
export function commandPage(commands: readonly CliCommand[]): string {
  const bySubject = Map.groupBy(commands, ({ name }) => name.split(' ')[0]!);
  return [
    '<!-- Generated from the declarations of the commands by `npm run generate`. Do not edit. -->',
    '# Commands',
    'What `npx streamgate` can do. [The command line](../operating/command-line.md) says where a command runs, as whom, and what all commands have in common. `streamgate` alone runs the server, as `streamgate serve` does, and `streamgate help` lists all commands.',
    ...[...bySubject].map(([subject, some]) => `## ${subject}\n\n${some.map(described).join('\n\n')}`),
  ]
    .join('\n\n')
    .concat('\n');
}

function described({ name, operands = [], summary, options = {} }: CliCommand): string {
  const lines = Object.entries(options).map(
    ([option, meaning]) => `- \`${written(option, meaning)}\`: ${meaning.description}`,
  );
  return [
    `**\`streamgate ${[name, ...operands].join(' ')}\`**: ${summary}`,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
  ].join('\n\n');
}

function written(name: string, { value, choices }: CommandOption): string {
  const shown = choices?.join('|') ?? value;
  return shown === undefined ? `--${name}` : `--${name} ${shown}`;
}

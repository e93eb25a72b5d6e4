import { updateTheme, type ThemeBody } from '../../../src/wire/management/theme.js';
import { parse } from '../../http/request/parse.js';
import type { CliCommand, CommandResult } from '../command.js';
import { fileText } from '../files.js';
import { callManagement } from '../management/management-calls.js';
import { withoutUndefined } from './token-options.js';

export const themeShowCommand: CliCommand = {
  name: 'theme show',
  summary: 'show the name, colours and logo of the hosted pages of an account',
  takesAccount: true,
  async run(invocation) {
    return shown(await callManagement(invocation, (client) => client.theme.get()));
  },
};

export const themeSetCommand: CliCommand = {
  name: 'theme set',
  summary: 'change the name, colours or logo of the hosted pages; an empty value removes one',
  takesAccount: true,
  options: {
    name: { value: 'NAME', description: 'the name that the pages and links show' },
    accent: { value: 'COLOUR', description: 'of buttons and the live badge, such as #e5484d' },
    background: { value: 'COLOUR', description: 'of the pages, such as #0b0c0f' },
    logo: { value: 'FILE', description: 'a PNG, JPEG or WebP image' },
  },
  async run(invocation) {
    const { options } = invocation;
    const value = (name: string): string | null | undefined => (options.one(name) === '' ? null : options.one(name));
    const path = value('logo');
    const change = parse(
      updateTheme,
      withoutUndefined({
        name: value('name'),
        accent: value('accent'),
        background: value('background'),
        logo: path ? await fileText(path, 'base64') : path,
      }),
    );
    return shown(await callManagement(invocation, (client) => client.theme.update(change)));
  },
};

export const themeResetCommand: CliCommand = {
  name: 'theme reset',
  summary: 'give the hosted pages the look of the product again',
  takesAccount: true,
  async run(invocation) {
    await callManagement(invocation, (client) => client.theme.reset());
    return { data: { reset: true }, text: 'The hosted pages look like the product again.' };
  },
};

function shown(theme: ThemeBody): CommandResult {
  const { name, accent, background, logo } = theme;
  const lines = [
    ['name', name],
    ['accent', accent],
    ['background', background],
    ['logo', logo && `${logo.type}, ${logo.bytes} bytes, ${logo.path}`],
  ];
  return { data: theme, text: lines.map(([field, value]) => `${field}\t${value ?? '-'}`).join('\n') };
}

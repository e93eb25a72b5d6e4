import type { CliCommand } from '../command.js';
import { callDataFolder, callManagement } from '../management/management-calls.js';

export const loginListCommand: CliCommand = {
  name: 'login list',
  summary: 'list the browsers that are logged in to the dashboard of an account, the last seen first',
  takesAccount: true,
  async run(invocation) {
    const logins = await callManagement(invocation, (client) => client.logins.list());
    const lines = logins.map(({ id, lastSeenOn, lastSeenFrom, userAgent }) =>
      [id, lastSeenOn ?? '-', lastSeenFrom ?? '-', userAgent ?? '-'].join('\t'),
    );
    return { data: { logins }, text: lines.join('\n'), note: `${logins.length} browsers` };
  },
};

export const loginEndCommand: CliCommand = {
  name: 'login end',
  summary: 'log one browser out of the dashboard',
  operands: ['ID'],
  takesAccount: true,
  async run(invocation) {
    const {
      operands: [id = ''],
    } = invocation;
    await callDataFolder(invocation, (client) => client.logins.end(id));
    return { data: { id }, text: 'The browser was logged out.' };
  },
};

export const loginEndAllCommand: CliCommand = {
  name: 'login end all',
  summary: 'log every browser out of the dashboard of an account',
  takesAccount: true,
  async run(invocation) {
    const ended = await callDataFolder(invocation, (client) => client.logins.endOthers());
    return { data: { ended }, text: `${ended} browsers were logged out.` };
  },
};

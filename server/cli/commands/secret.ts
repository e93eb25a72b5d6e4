import { withAccountContext } from '../account-context.js';
import type { CliCommand, CommandResult } from '../command.js';

export const secretCreateCommand: CliCommand = {
  name: 'secret create',
  summary: 'make the API secret of an account that has none, and show it this once',
  takesAccount: true,
  run: ({ config, account }) =>
    withAccountContext(config, async ({ chooseAccountId, secrets }) => {
      const accountId = await chooseAccountId(account);
      return shown(accountId, await secrets.create(accountId));
    }),
};

export const secretRefreshCommand: CliCommand = {
  name: 'secret refresh',
  summary: 'replace the API secret: the old one is refused at once',
  takesAccount: true,
  run: ({ config, account }) =>
    withAccountContext(config, async ({ chooseAccountId, secrets }) => {
      const accountId = await chooseAccountId(account);
      return shown(accountId, await secrets.refresh(accountId));
    }),
};

export const secretDeleteCommand: CliCommand = {
  name: 'secret delete',
  summary: 'delete the API secret: every API call is refused until another is made',
  takesAccount: true,
  run: ({ config, account }) =>
    withAccountContext(config, async ({ chooseAccountId, secrets }) => {
      const accountId = await chooseAccountId(account);
      await secrets.delete(accountId);
      return { data: { accountId, deleted: true }, text: `Account ${accountId} has no API secret now.` };
    }),
};

/** The secret alone is on stdout, for a script to take. */
function shown(accountId: string, secret: string): CommandResult {
  const note = `API secret of account ${accountId}. It is not shown again; send it as Authorization: Bearer SECRET.`;
  return { data: { accountId, secret }, text: secret, note };
}

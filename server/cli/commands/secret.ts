import type { ApiSecretState } from '../../../src/wire/management/api-secret.js';
import { withAccountContext } from '../account-context.js';
import { callManagement } from '../management/management-calls.js';
import type { CliCommand, CommandResult } from '../command.js';

export const secretCreateCommand: CliCommand = {
  name: 'secret create',
  summary: 'create the API secret of an account that has none, and show it; it is not shown again',
  takesAccount: true,
  run: ({ config, account }) =>
    withAccountContext(config, async ({ chooseAccountId, secrets }) => {
      const accountId = await chooseAccountId(account);
      return shown(accountId, await secrets.create(accountId));
    }),
};

export const secretShowCommand: CliCommand = {
  name: 'secret show',
  summary: 'show whether the account has an API secret, and when it was last used; not its value',
  takesAccount: true,
  async run(invocation) {
    const state = await callManagement(invocation, (client) => client.secret.state());
    return { data: state, text: stateLine(state) };
  },
};

export const secretRefreshCommand: CliCommand = {
  name: 'secret refresh',
  summary: 'replace the API secret; the old one stops working at once',
  takesAccount: true,
  run: ({ config, account }) =>
    withAccountContext(config, async ({ chooseAccountId, secrets }) => {
      const accountId = await chooseAccountId(account);
      return shown(accountId, await secrets.refresh(accountId));
    }),
};

export const secretDeleteCommand: CliCommand = {
  name: 'secret delete',
  summary: 'delete the API secret; API calls are refused until there is another one',
  takesAccount: true,
  run: ({ config, account }) =>
    withAccountContext(config, async ({ chooseAccountId, secrets }) => {
      const accountId = await chooseAccountId(account);
      await secrets.delete(accountId);
      return { data: { accountId, deleted: true }, text: `Account ${accountId} no longer has an API secret.` };
    }),
};

function stateLine({ exists, id, createdOn, lastUsedOn, lastUsedFrom }: ApiSecretState): string {
  if (!exists) return 'The account has no API secret: calls that present one are refused.';
  const use = lastUsedOn === null ? 'never used' : `used ${lastUsedOn} from ${lastUsedFrom ?? 'an unknown address'}`;
  return `${id}  created ${createdOn}  ${use}`;
}

/** Only the secret goes to stdout, so that a script can read it. */
function shown(accountId: string, secret: string): CommandResult {
  const note = `API secret of account ${accountId}. It is not shown again. Send it as Authorization: Bearer SECRET.`;
  return { data: { accountId, secret }, text: secret, note };
}

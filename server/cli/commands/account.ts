import { accountId } from '../../../src/wire/text.js';
import { withAccountContext, type AccountContext } from '../account-context.js';
import { CommandError, type CliCommand } from '../command.js';

export const accountCreateCommand: CliCommand = {
  name: 'account create',
  summary: 'create an account; its id is part of the address of each of its streams',
  operands: ['ID'],
  async run({ config, operands: [id] }) {
    const wanted = accountId.safeParse(id);
    if (!wanted.success) {
      throw new CommandError(
        'invalid_request',
        'An account id must be 1 to 64 letters, digits, hyphens or underscores.',
      );
    }
    const create = ({ accounts }: AccountContext) => accounts.create(wanted.data);
    const account = await withAccountContext(config, create, { mayMakeData: true });
    if (!account) throw new CommandError('account_exists', `There already is an account ${wanted.data}.`);
    return { data: body(account), text: `Account ${account.id} was created.` };
  },
};

export const accountListCommand: CliCommand = {
  name: 'account list',
  summary: 'list the accounts, the oldest first',
  run: ({ config }) =>
    withAccountContext(config, async ({ accounts }) => {
      const list = await accounts.list();
      return { data: list.map(body), text: list.map(({ id }) => id).join('\n') };
    }),
};

function body({ id, createdOn }: { readonly id: string; readonly createdOn: number }) {
  return { id, createdOn: new Date(createdOn).toISOString() };
}

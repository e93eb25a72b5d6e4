import { dashboardLink } from '../../accounts/dashboard-login.js';
import type { Invitation } from '../../accounts/member-service.js';
import type { SeenMember } from '../../accounts/member.js';
import { publicUrlOf, type Config } from '../../config/config.js';
import { parse } from '../../http/request/parse.js';
import { createMember, memberRole, updateMember } from '../../../src/wire/management/member.js';
import { withAccountContext } from '../account-context.js';
import type { CliCommand, CommandOptions, CommandResult } from '../command.js';
import { callManagement } from '../management/management-calls.js';
import { withoutUndefined } from './token-options.js';

const FIELDS: CommandOptions = {
  name: { value: 'NAME', description: 'the name of the person' },
  role: { value: memberRole.options.join('|'), description: 'what they may do' },
};

export const memberListCommand: CliCommand = {
  name: 'member list',
  summary: 'list the members of an account, the oldest first',
  takesAccount: true,
  async run(invocation) {
    const members = await callManagement(invocation, (client) => client.members.list());
    const lines = members.map(({ id, role, lastSeenOn, passkeys, hasPassword, name }) =>
      [id, role, lastSeenOn ?? '-', waysText(passkeys, hasPassword), name].join('\t'),
    );
    return { data: { members }, text: lines.join('\n'), note: `${members.length} members` };
  },
};

export const memberInviteCommand: CliCommand = {
  name: 'member invite',
  summary: 'add a member, and show a login link; it works once, within a week',
  takesAccount: true,
  options: FIELDS,
  run: ({ config, account, options }) =>
    withAccountContext(config, async ({ chooseAccountId, members }) => {
      const fields = parse(createMember, withoutUndefined({ name: options.one('name'), role: options.one('role') }));
      return shown(config, await members.invite(await chooseAccountId(account), fields));
    }),
};

export const memberLinkCommand: CliCommand = {
  name: 'member link',
  summary: 'show another login link for a member; the one before stops working',
  operands: ['ID'],
  takesAccount: true,
  run: ({ config, account, operands: [id = ''] }) =>
    withAccountContext(config, async ({ chooseAccountId, members }) =>
      shown(config, await members.inviteAgain(await chooseAccountId(account), id)),
    ),
};

export const memberUpdateCommand: CliCommand = {
  name: 'member update',
  summary: 'change the name or the role of a member',
  operands: ['ID'],
  takesAccount: true,
  options: FIELDS,
  run: ({ config, account, options, operands: [id = ''] }) =>
    withAccountContext(config, async ({ chooseAccountId, members }) => {
      const change = parse(updateMember, withoutUndefined({ name: options.one('name'), role: options.one('role') }));
      const member = await members.update(await chooseAccountId(account), id, change);
      return { data: dataOf(member), text: `${member.name}: ${member.role}` };
    }),
};

export const memberRemoveCommand: CliCommand = {
  name: 'member remove',
  summary: 'remove a member, and log them out everywhere',
  operands: ['ID'],
  takesAccount: true,
  run: ({ config, account, operands: [id = ''] }) =>
    withAccountContext(config, async ({ chooseAccountId, members }) => {
      await members.remove(await chooseAccountId(account), id);
      return { data: { id }, text: 'The member was removed.' };
    }),
};

/** Shows how a member can sign in, in case they ask for help. */
export const memberPasskeysCommand: CliCommand = {
  name: 'member passkeys',
  summary: 'list the passkeys of a member, the oldest first',
  operands: ['ID'],
  takesAccount: true,
  run: ({ config, account, operands: [id = ''] }) =>
    withAccountContext(config, async ({ chooseAccountId, members, passkeys }) => {
      await members.get(await chooseAccountId(account), id);
      const found = (await passkeys.list(id)).map(({ id: passkeyId, name, host, createdOn, lastUsedOn }) => ({
        id: passkeyId,
        name,
        host,
        createdOn: new Date(createdOn).toISOString(),
        lastUsedOn: lastUsedOn === null ? null : new Date(lastUsedOn).toISOString(),
      }));
      const lines = found.map((passkey) =>
        [passkey.id, passkey.host, passkey.lastUsedOn ?? '-', passkey.name].join('\t'),
      );
      return { data: { passkeys: found }, text: lines.join('\n'), note: `${found.length} passkeys` };
    }),
};

export const memberResetCommand: CliCommand = {
  name: 'member reset-sign-in',
  summary: 'remove every way to sign in of a member, and log them out everywhere',
  operands: ['ID'],
  takesAccount: true,
  run: ({ config, account, operands: [id = ''] }) =>
    withAccountContext(config, async ({ chooseAccountId, members, passkeys }) => {
      const member = await members.get(await chooseAccountId(account), id);
      await passkeys.reset(member, Date.now());
      return {
        data: { id },
        text: `${member.name} is logged out, and has no passkey and no password. Let them in with: npx streamgate member link ${id}`,
      };
    }),
};

/** As `2 passkeys, password`. */
function waysText(passkeys: number, hasPassword: boolean): string {
  const counted = passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`;
  const ways = [...(passkeys > 0 ? [counted] : []), ...(hasPassword ? ['password'] : [])];
  return ways.join(', ') || 'link only';
}

function shown(config: Config, { member, code, expiresOn }: Invitation): CommandResult {
  const link = dashboardLink(publicUrlOf(config), code);
  const linkExpiresOn = new Date(expiresOn).toISOString();
  return { data: { ...dataOf(member), link, linkExpiresOn }, text: link, note: `${member.id} ${member.name}` };
}

function dataOf({ id, name, role, createdOn }: SeenMember) {
  return { id, name, role, createdOn: new Date(createdOn).toISOString() };
}

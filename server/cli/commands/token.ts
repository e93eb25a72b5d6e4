import { signSubscribeToken } from '../../../src/management/sign-subscribe-token.js';
import {
  createPublishToken,
  createSubscribeToken,
  tokenId,
  tokenListQuery,
  updatePublishToken,
  updateSubscribeToken,
} from '../../../src/wire/token.js';
import { tokenNameQuery } from '../../../src/wire/token-name-query.js';
import { parse } from '../../http/parse.js';
import { tokenBody } from '../../tokens/token-body.js';
import type { TokenKind, TokenRecord } from '../../tokens/token-record.js';
import type { TokenChange } from '../../tokens/token-service.js';
import { atAccountDesk, type AccountDesk } from '../account-desk.js';
import { CommandError, UsageError, type Command, type CommandCall, type CommandResult } from '../command.js';
import { askServer } from '../running-server.js';
import { numberOf, tokenChangeOptions, tokenFields, tokenOptions, withoutUndefined } from '../token-options.js';

export const tokenCreateCommand: Command = {
  name: 'token create',
  summary: 'make a token (KIND: publish or subscribe) and show its value',
  operands: ['KIND'],
  takesAccount: true,
  options: tokenOptions,
  run: (call) =>
    atAccountDesk(call.config, async (desk) => {
      const kind = kindOf(call);
      const fields = parse(kind === 'publish' ? createPublishToken : createSubscribeToken, tokenFields(call.options));
      const scope = { accountId: await desk.choose(call.account), kind };
      const token = await (await desk.tokens()).service.create(scope, fields);
      return { data: tokenBody(token), text: token.token, note: `${kind} token ${token.id}` };
    }),
};

export const tokenListCommand: Command = {
  name: 'token list',
  summary: 'list the tokens of a kind (publish or subscribe); with --name those of that label or stream',
  operands: ['KIND'],
  takesAccount: true,
  options: { name: { value: 'NAME' }, page: { value: 'N' }, items: { value: 'N' } },
  run: (call) =>
    atAccountDesk(call.config, async (desk) => {
      const { options } = call;
      const name = options.one('name');
      const asked = withoutUndefined({ name, page: options.one('page'), itemsOnPage: options.one('items') });
      const query = name === undefined ? parse(tokenListQuery, asked) : parse(tokenNameQuery, asked);
      const scope = { accountId: await desk.choose(call.account), kind: kindOf(call) };
      const { tokens, total } = await (await desk.tokens()).service.list(scope, query);
      return {
        data: { tokens: tokens.map(tokenBody), total },
        text: tokens.map(line).join('\n'),
        note: `${tokens.length} of ${total}`,
      };
    }),
};

export const tokenLiveCommand: Command = {
  name: 'token live',
  summary: 'ask the running server which publish tokens are live; with --stream (account/name) on that stream',
  options: { stream: { value: 'STREAM' } },
  async run({ options, ...surroundings }) {
    const streamId = options.one('stream');
    const tokenIds = await askServer(surroundings, ({ publishTokens }) =>
      streamId === undefined ? publishTokens.activeAll() : publishTokens.active(streamId),
    );
    return { data: { tokenIds }, text: tokenIds.join('\n'), note: `${tokenIds.length} live` };
  },
};

export const tokenShowCommand: Command = {
  name: 'token show',
  summary: 'show a token, its value too',
  operands: ['ID'],
  takesAccount: true,
  run: (call) => atToken(call, async ({ token }) => shown(token)),
};

export const tokenUpdateCommand: Command = {
  name: 'token update',
  summary: 'change what is named of a token; whom it then refuses is cut off within a second',
  operands: ['ID'],
  takesAccount: true,
  options: tokenChangeOptions,
  run: (call) => change(call, tokenFields(call.options)),
};

export const tokenDisableCommand: Command = {
  name: 'token disable',
  summary: 'switch a token off: whom it admitted is cut off within a second',
  operands: ['ID'],
  takesAccount: true,
  run: (call) => change(call, { isActive: false }),
};

export const tokenRefreshCommand: Command = {
  name: 'token refresh',
  summary: 'give a token a new value; the old one is refused at once',
  operands: ['ID'],
  takesAccount: true,
  run: (call) => change(call, { refreshToken: true }),
};

export const tokenDeleteCommand: Command = {
  name: 'token delete',
  summary: 'delete a token: whom it admitted is cut off within a second',
  operands: ['ID'],
  takesAccount: true,
  run: (call) =>
    atToken(call, async ({ token, desk }) => {
      const { id, accountId, kind } = token;
      await (await desk.tokens()).service.delete({ accountId, kind }, id);
      return { data: { id, deleted: true }, text: `Token ${id} is deleted.` };
    }),
};

export const signCommand: Command = {
  name: 'sign',
  summary: 'make a self-signed token from a subscribe token: one stream, an end, and no more than its parent may',
  operands: ['ID'],
  takesAccount: true,
  options: {
    stream: { value: 'NAME', required: true },
    expires: { value: 'SECONDS', required: true },
    origin: { value: 'ORIGIN', multiple: true },
    ip: { value: 'ADDRESS', multiple: true },
  },
  run: (call) =>
    atToken(call, async ({ token }) => {
      if (token.kind !== 'subscribe') {
        throw new CommandError('token_wrong_kind', `Token ${token.id} publishes; only subscribe tokens can sign.`);
      }
      const { options } = call;
      const expires = numberOf(options.one('expires'));
      if (typeof expires !== 'number' || expires < 1) throw new UsageError('--expires is seconds from now');
      const signed = await signSubscribeToken(token, {
        streamName: options.one('stream') ?? '',
        expires,
        allowedOrigins: options.all('origin'),
        allowedIpAddresses: options.all('ip'),
      });
      return { data: { tokenId: token.id, token: signed }, text: signed };
    }),
};

function change(call: CommandCall, fields: object): Promise<CommandResult> {
  return atToken(call, async ({ token: { id, accountId, kind }, desk }) => {
    const read: TokenChange = parse(kind === 'publish' ? updatePublishToken : updateSubscribeToken, fields);
    return shown(await (await desk.tokens()).service.update({ accountId, kind }, id, read));
  });
}

function atToken(
  { config, account, operands: [text] }: CommandCall,
  work: (found: { token: TokenRecord; desk: AccountDesk }) => Promise<CommandResult>,
): Promise<CommandResult> {
  return atAccountDesk(config, async (desk) => {
    const id = parse(tokenId, text);
    const token = await (await desk.tokens()).find(await desk.choose(account), id);
    return await work({ token, desk });
  });
}

function shown(token: TokenRecord): CommandResult {
  return { data: tokenBody(token), text: JSON.stringify(tokenBody(token), undefined, 2) };
}

function line({ id, isActive, label, streams }: TokenRecord): string {
  const names = streams.map(({ streamName, isRegex }) => (isRegex ? `/${streamName}/` : streamName)).join(', ');
  return [id, isActive ? 'active' : 'disabled', label || '-', names || '(no stream)'].join('\t');
}

function kindOf({ operands: [kind] }: CommandCall): TokenKind {
  if (kind === 'publish' || kind === 'subscribe') return kind;
  throw new UsageError('KIND is publish or subscribe');
}

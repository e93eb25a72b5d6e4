import type { ManagementClient } from '../../../src/management/management-client.js';
import {
  createPublishToken,
  createSubscribeToken,
  tokenId,
  tokenListQuery,
  type TokenBody,
} from '../../../src/wire/management/token.js';
import { tokenNameQuery } from '../../../src/wire/management/token-name-query.js';
import { parse } from '../../http/request/parse.js';
import type { TokenKind } from '../../tokens/token-record.js';
import { CommandError, UsageError, type CliCommand, type CommandInvocation, type CommandResult } from '../command.js';
import { callManagement, callServer } from '../management/management-calls.js';
import { tokenLine } from './token-line.js';
import {
  tokenChangeOptions,
  tokenFields,
  tokenListOptions,
  tokenListQueryFields,
  tokenOptions,
} from './token-options.js';
import { changeToken, disableTokens, findToken } from './token-lookup.js';

export const tokenCreateCommand: CliCommand = {
  name: 'token create',
  summary: 'make a token (KIND: publish or subscribe) and show its value',
  operands: ['KIND'],
  takesAccount: true,
  options: { ...tokenOptions, 'idempotency-key': { value: 'KEY' } },
  async run(call) {
    const kind = kindOf(call);
    const create = creating(kind, tokenFields(call.options));
    const token = await callManagement(call, (client) => create(client, call.options.one('idempotency-key')));
    const note = `${kind} token ${token.id}`;
    return { data: token, text: token.token, note: permitsNothing(token) ? `${note}\n${addStream(token)}` : note };
  },
};

export const tokenListCommand: CliCommand = {
  name: 'token list',
  summary: 'list the tokens of a kind (publish or subscribe); with --name those of that label or stream',
  operands: ['KIND'],
  takesAccount: true,
  options: tokenListOptions,
  async run(call) {
    const kind = kindOf(call);
    const list = listing(tokenListQueryFields(call.options));
    const now = Date.now();
    const { tokens, total } = await callManagement(call, (client) =>
      list(kind === 'publish' ? client.publishTokens : client.subscribeTokens),
    );
    return {
      data: { tokens, total },
      text: tokens.map((token) => tokenLine(token, now)).join('\n'),
      note: `${tokens.length} of ${total}`,
    };
  },
};

export const tokenLiveCommand: CliCommand = {
  name: 'token live',
  summary: 'ask the running server which publish tokens are live; with --stream (account/name) on that stream',
  options: { stream: { value: 'STREAM' } },
  async run(call) {
    const streamId = call.options.one('stream');
    const tokenIds = await callServer(call, ({ publishTokens }) =>
      streamId === undefined ? publishTokens.activeAll() : publishTokens.active(streamId),
    );
    return { data: { tokenIds }, text: tokenIds.join('\n'), note: `${tokenIds.length} live` };
  },
};

export const tokenShowCommand: CliCommand = {
  name: 'token show',
  summary: 'show a token, its value too',
  operands: ['ID'],
  takesAccount: true,
  async run(call) {
    const [id] = idsOf(call);
    return shown((await callManagement(call, (client) => findToken(client, id))).token);
  },
};

export const tokenUpdateCommand: CliCommand = {
  name: 'token update',
  summary: 'change what is named of a token; whom it then refuses is cut off within a second',
  operands: ['ID'],
  takesAccount: true,
  options: tokenChangeOptions,
  run: (call) => change(call, tokenFields(call.options)),
};

export const tokenDisableCommand: CliCommand = {
  name: 'token disable',
  summary: 'switch tokens off: whom they admitted is cut off within a second',
  operands: ['ID…'],
  takesAccount: true,
  async run(call) {
    const ids = idsOf(call);
    const answer = await callManagement(call, (client) => disableTokens(client, ids));
    const { successfulTokens, failedTokens } = answer;
    const done = `Disabled: ${successfulTokens.join(', ') || 'none'}`;
    if (failedTokens.length === 0) return { data: answer, text: done };
    const why = failedTokens.map(({ errorMessage }) => errorMessage);
    throw new CommandError('token_not_found', [...why, done].join('\n'), answer);
  },
};

export const tokenRefreshCommand: CliCommand = {
  name: 'token refresh',
  summary: 'give a token a new value; the old one is refused at once',
  operands: ['ID'],
  takesAccount: true,
  run: (call) => change(call, { refreshToken: true }),
};

export const tokenDeleteCommand: CliCommand = {
  name: 'token delete',
  summary: 'delete a token: whom it admitted is cut off within a second',
  operands: ['ID'],
  takesAccount: true,
  async run(call) {
    const [id] = idsOf(call);
    await callManagement(call, async (client) => {
      const { kind } = await findToken(client, id);
      await (kind === 'publish' ? client.publishTokens : client.subscribeTokens).delete(id);
    });
    return { data: { id, deleted: true }, text: `Token ${id} is deleted.` };
  },
};

function permitsNothing({ streams }: TokenBody): boolean {
  return streams.length === 0;
}

function addStream({ id }: TokenBody): string {
  return `It names no stream, so it permits nothing. Add one: streamgate token update ${id} --add-stream NAME`;
}

type Create = (client: ManagementClient, idempotencyKey: string | undefined) => Promise<TokenBody>;

function creating(kind: TokenKind, fields: object): Create {
  if (kind === 'publish') {
    const read = parse(createPublishToken, fields);
    return (client, idempotencyKey) => client.publishTokens.create(read, { idempotencyKey });
  }
  const read = parse(createSubscribeToken, fields);
  return (client, idempotencyKey) => client.subscribeTokens.create(read, { idempotencyKey });
}

type TokenLists = Pick<ManagementClient['publishTokens'], 'list' | 'listByName'>;

function listing(wanted: Readonly<Record<string, unknown>>) {
  if (!('name' in wanted)) {
    const query = parse(tokenListQuery, wanted);
    return (calls: TokenLists) => calls.list(query);
  }
  const { name, ...query } = parse(tokenNameQuery, wanted);
  return (calls: TokenLists) => calls.listByName(name, query);
}

async function change(call: CommandInvocation, fields: object): Promise<CommandResult> {
  const [id] = idsOf(call);
  return shown(await callManagement(call, (client) => changeToken(client, id, fields)));
}

function shown(token: TokenBody): CommandResult {
  return { data: token, text: JSON.stringify(token, undefined, 2) };
}

function kindOf({ operands: [kind] }: CommandInvocation): TokenKind {
  if (kind === 'publish' || kind === 'subscribe') return kind;
  throw new UsageError('KIND is publish or subscribe');
}

/** At least one: the command line is not understood without. */
function idsOf({ operands: [first, ...more] }: CommandInvocation): [number, ...number[]] {
  return [parse(tokenId, first), ...more.map((id) => parse(tokenId, id))];
}

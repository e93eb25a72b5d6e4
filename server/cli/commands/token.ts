import type { TokenUpdateOptions } from '../../../src/management/token-calls.js';
import type { ManagementClient } from '../../../src/management/management-client.js';
import {
  createPublishToken,
  createSubscribeToken,
  type TokenBody,
  tokenId,
  tokenListQuery,
  tokenNameQuery,
} from '../../../src/wire/management/token.js';
import type { BulkResult } from '../../../src/wire/management/token-bulk.js';
import { parse } from '../../http/request/parse.js';
import type { TokenKind } from '../../tokens/token-record.js';
import { CommandError, UsageError, type CliCommand, type CommandInvocation, type CommandResult } from '../command.js';
import { callManagement, callServer } from '../management/management-calls.js';
import {
  tokenChangeOptions,
  tokenFields,
  tokenListOptions,
  tokenListQueryFields,
  tokenOptions,
} from './token-options.js';
import { faultColumn, listNote } from '../management/row-faults.js';
import { csvOption, csvResult } from '../csv-output.js';
import { fileText } from '../files.js';
import { changeToken, changeTokens, disableTokens, findToken } from './token-lookup.js';

export const tokenCreateCommand: CliCommand = {
  name: 'token create',
  summary: 'create a token (KIND: publish or subscribe) and show its value',
  operands: ['KIND'],
  takesAccount: true,
  options: {
    ...tokenOptions,
    'idempotency-key': { value: 'KEY', description: 'the same key again returns the same token, for a day' },
  },
  async run(invocation) {
    const kind = kindOf(invocation);
    const create = createCall(kind, tokenFields(invocation.options));
    const token = await callManagement(invocation, (client) =>
      create(client, invocation.options.one('idempotency-key')),
    );
    const note = `${kind} token ${token.id}`;
    return { data: token, text: token.token, note: permitsNothing(token) ? `${note}\n${addStreamHint(token)}` : note };
  },
};

export const tokenImportCommand: CliCommand = {
  name: 'token import',
  summary: 'create the tokens of a CSV file with the columns of the list (KIND: publish or subscribe)',
  operands: ['KIND', 'FILE'],
  takesAccount: true,
  options: {
    check: { description: 'only check the file' },
    csv: { description: 'print a table of links to hand out (CSV)' },
  },
  async run(invocation) {
    const kind = kindOf(invocation);
    const csv = await fileText(invocation.operands[1] ?? '', 'utf8');
    const dryRun = invocation.options.one('check') !== undefined;
    const callsOf = (client: ManagementClient) => (kind === 'publish' ? client.publishTokens : client.subscribeTokens);
    if (invocation.options.one('csv') !== undefined && !dryRun) {
      return csvResult(await callManagement(invocation, (client) => callsOf(client).importForLinks(csv)));
    }
    const { count, tokens, links } = await callManagement(invocation, (client) =>
      callsOf(client).import(csv, { dryRun }),
    );
    return {
      data: { count, tokens, links },
      text: tokens.map(({ id, token, label }) => [id, token, label].join('\t')).join('\n'),
      note: dryRun ? `${count} tokens could be created` : `${count} tokens created`,
    };
  },
};

export const tokenListCommand: CliCommand = {
  name: 'token list',
  summary: 'list the tokens of a kind (KIND: publish or subscribe)',
  operands: ['KIND'],
  takesAccount: true,
  options: { ...tokenListOptions, ...csvOption },
  async run(invocation) {
    const kind = kindOf(invocation);
    const { list, csv } = listCalls(tokenListQueryFields(invocation.options));
    const callsOf = (client: ManagementClient) => (kind === 'publish' ? client.publishTokens : client.subscribeTokens);
    if (invocation.options.one('csv')) {
      return csvResult(await callManagement(invocation, (client) => csv(callsOf(client))));
    }
    const now = Date.now();
    const { tokens, total } = await callManagement(invocation, (client) => list(callsOf(client)));
    return {
      data: { tokens, total },
      text: tokens.map((token) => tokenLine(token, now)).join('\n'),
      note: listNote(tokens, total, ({ id }) => String(id)),
    };
  },
};

export const tokenLiveCommand: CliCommand = {
  name: 'token live',
  summary: 'list the publish tokens that are live on the running server',
  options: { stream: { value: 'STREAM', description: 'only on this stream (account/name)' } },
  async run(invocation) {
    const streamId = invocation.options.one('stream');
    const tokenIds = await callServer(invocation, ({ publishTokens }) =>
      streamId === undefined ? publishTokens.activeAll() : publishTokens.active(streamId),
    );
    return { data: { tokenIds }, text: tokenIds.join('\n'), note: `${tokenIds.length} live` };
  },
};

export const tokenShowCommand: CliCommand = {
  name: 'token show',
  summary: 'show a token, with its value',
  operands: ['ID'],
  takesAccount: true,
  async run(invocation) {
    const [id] = idsOf(invocation);
    return tokenResult((await callManagement(invocation, (client) => findToken(client, id))).token);
  },
};

export const tokenUpdateCommand: CliCommand = {
  name: 'token update',
  summary: 'change the given fields of a token; sessions that it no longer permits end within a second',
  operands: ['ID'],
  takesAccount: true,
  options: tokenChangeOptions,
  run: (invocation) =>
    changeAndShow(invocation, tokenFields(invocation.options), { ifMatch: invocation.options.one('if-match') }),
};

export const tokenDisableCommand: CliCommand = {
  name: 'token disable',
  summary: 'disable tokens; their sessions end within a second',
  operands: ['ID…'],
  takesAccount: true,
  async run(invocation) {
    const ids = idsOf(invocation);
    const answer = await callManagement(invocation, (client) => disableTokens(client, ids));
    const { successfulTokens, failedTokens } = answer;
    const summary = `Disabled: ${successfulTokens.join(', ') || 'none'}`;
    if (failedTokens.length === 0) return { data: answer, text: summary };
    const why = failedTokens.map(({ errorMessage }) => errorMessage);
    throw new CommandError('token_not_found', [...why, summary].join('\n'), answer);
  },
};

export const tokenRefreshCommand: CliCommand = {
  name: 'token refresh',
  summary: 'give a token a new value; the old value stops working at once',
  operands: ['ID'],
  takesAccount: true,
  run: (invocation) => changeAndShow(invocation, { refreshToken: true }),
};

export const tokenEnableCommand: CliCommand = {
  name: 'token enable',
  summary: 'enable tokens again',
  operands: ['ID…'],
  takesAccount: true,
  async run(invocation) {
    const ids = idsOf(invocation);
    return bulkResult('Enabled', await callManagement(invocation, (client) => changeTokens(client, 'enable', ids)));
  },
};

export const tokenSessionsCommand: CliCommand = {
  name: 'token sessions',
  summary: 'count the broadcasts and viewers that are connected to the running server with these tokens',
  operands: ['ID…'],
  async run(invocation) {
    const ids = idsOf(invocation);
    const data = await callServer(invocation, async ({ publishTokens, subscribeTokens }) => ({
      broadcasts: await publishTokens.openSessions(ids),
      viewers: await subscribeTokens.openSessions(ids),
    }));
    return { data, text: `broadcasts\t${data.broadcasts}\nviewers\t${data.viewers}` };
  },
};

export const tokenDeleteCommand: CliCommand = {
  name: 'token delete',
  summary: 'delete tokens; their sessions end within a second',
  operands: ['ID…'],
  takesAccount: true,
  async run(invocation) {
    const ids = idsOf(invocation);
    if (ids.length > 1) {
      return bulkResult('Deleted', await callManagement(invocation, (client) => changeTokens(client, 'delete', ids)));
    }
    const [id] = ids;
    await callManagement(invocation, async (client) => {
      const { kind } = await findToken(client, id);
      await (kind === 'publish' ? client.publishTokens : client.subscribeTokens).delete(id);
    });
    return { data: { id, deleted: true }, text: `Token ${id} was deleted.` };
  },
};

/** @throws {CommandError} with the code of the first token that is not done */
function bulkResult(done: string, results: readonly BulkResult[]): CommandResult {
  const changed = results.filter((result) => result.done).map(({ tokenId }) => tokenId);
  const summary = `${done}: ${changed.join(', ') || 'none'}`;
  const failed = results.filter((result) => !result.done);
  if (failed.length === 0) return { data: { results }, text: summary };
  const why = failed.map(({ message }) => message);
  throw new CommandError(failed[0]!.code ?? 'token_not_found', [...why, summary].join('\n'), { results });
}

/** One line of `token list`, with tabs between the columns. */
export function tokenLine(token: TokenBody, now: number): string {
  const { id, label, streams } = token;
  const names = streams.map(({ streamName, isRegex }) => (isRegex ? `/${streamName}/` : streamName)).join(', ');
  return [id, tokenState(token, now), label || '-', names || '(no stream)', ...faultColumn(token)].join('\t');
}

/** The first thing that the rules would refuse the token for. */
function tokenState({ isActive, expiresOn }: TokenBody, now: number): string {
  if (!isActive) return 'disabled';
  return expiresOn !== null && Date.parse(expiresOn) <= now ? `expired ${expiresOn}` : 'active';
}

function permitsNothing({ streams }: TokenBody): boolean {
  return streams.length === 0;
}

function addStreamHint({ id }: TokenBody): string {
  return `It names no stream, so it permits nothing. Add a stream: streamgate token update ${id} --add-stream NAME`;
}

type Create = (client: ManagementClient, idempotencyKey: string | undefined) => Promise<TokenBody>;

function createCall(kind: TokenKind, fields: object): Create {
  if (kind === 'publish') {
    const read = parse(createPublishToken, fields);
    return (client, idempotencyKey) => client.publishTokens.create(read, { idempotencyKey });
  }
  const read = parse(createSubscribeToken, fields);
  return (client, idempotencyKey) => client.subscribeTokens.create(read, { idempotencyKey });
}

type TokenLists = Pick<ManagementClient['publishTokens'], 'list' | 'listByName' | 'csv' | 'csvByName'>;

function listCalls(wanted: Readonly<Record<string, unknown>>) {
  if (!('name' in wanted)) {
    const query = parse(tokenListQuery, wanted);
    return { list: (calls: TokenLists) => calls.list(query), csv: (calls: TokenLists) => calls.csv(query) };
  }
  const { name, ...query } = parse(tokenNameQuery, wanted);
  return {
    list: (calls: TokenLists) => calls.listByName(name, query),
    csv: (calls: TokenLists) => calls.csvByName(name, query),
  };
}

async function changeAndShow(
  invocation: CommandInvocation,
  fields: object,
  options: TokenUpdateOptions = {},
): Promise<CommandResult> {
  const [id] = idsOf(invocation);
  return tokenResult(await callManagement(invocation, (client) => changeToken(client, id, fields, options)));
}

function tokenResult(token: TokenBody): CommandResult {
  return { data: token, text: JSON.stringify(token, undefined, 2) };
}

function kindOf({ operands: [kind] }: CommandInvocation): TokenKind {
  if (kind === 'publish' || kind === 'subscribe') return kind;
  throw new UsageError('KIND must be publish or subscribe');
}

/** At least one id: commander refuses a command line without. */
function idsOf({ operands: [first, ...more] }: CommandInvocation): [number, ...number[]] {
  return [parse(tokenId, first), ...more.map((id) => parse(tokenId, id))];
}

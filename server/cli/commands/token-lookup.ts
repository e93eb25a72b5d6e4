import type { TokenUpdateOptions } from '../../../src/management/token-calls.js';
import type { ManagementClient } from '../../../src/management/management-client.js';
import { ManagementError } from '../../../src/management/management-error.js';
import { updatePublishToken, updateSubscribeToken, type TokenBody } from '../../../src/wire/management/token.js';
import type { BulkAction, BulkResult } from '../../../src/wire/management/token-bulk.js';
import type { DisabledTokens } from '../../../src/wire/management/token-disable.js';
import { parse } from '../../http/request/parse.js';
import type { TokenKind } from '../../tokens/token-record.js';
import { CommandError } from '../command.js';

// The API has separate routes for publish and subscribe tokens, but an id belongs to one token only.

/**
 * The token with this id, whichever kind it is.
 * @throws {CommandError} `token_not_found`
 */
export async function findToken(
  { publishTokens, subscribeTokens }: ManagementClient,
  id: number,
): Promise<{ readonly kind: TokenKind; readonly token: TokenBody }> {
  const published = await undefinedIfNotFound(publishTokens.get(id));
  if (published) return { kind: 'publish', token: published };
  const subscribed = await undefinedIfNotFound(subscribeTokens.get(id));
  if (subscribed) return { kind: 'subscribe', token: subscribed };
  throw new CommandError('token_not_found', notFoundMessage(id));
}

/** @throws {CommandError} `token_not_found` */
export async function changeToken(
  client: ManagementClient,
  id: number,
  change: object,
  options: TokenUpdateOptions = {},
): Promise<TokenBody> {
  const { kind } = await findToken(client, id);
  return kind === 'publish'
    ? await client.publishTokens.update(id, parse(updatePublishToken, change), options)
    : await client.subscribeTokens.update(id, parse(updateSubscribeToken, change), options);
}

/** Disables publish tokens with one request and subscribe tokens one by one, as the API allows. */
export async function disableTokens(
  { publishTokens, subscribeTokens }: ManagementClient,
  ids: readonly number[],
): Promise<DisabledTokens> {
  const { successfulTokens, failedTokens: notPublishTokens } = await publishTokens.disable(ids);
  const answer: DisabledTokens = { successfulTokens: [...successfulTokens], failedTokens: [] };
  for (const { tokenId } of notPublishTokens) {
    const disabled = await undefinedIfNotFound(subscribeTokens.update(tokenId, { isActive: false }));
    if (disabled) answer.successfulTokens.push(tokenId);
    else answer.failedTokens.push({ tokenId, errorMessage: notFoundMessage(tokenId) });
  }
  return answer;
}

/** Changes tokens of both kinds with one request for each kind. */
export async function changeTokens(
  { publishTokens, subscribeTokens }: ManagementClient,
  action: BulkAction,
  ids: readonly number[],
): Promise<readonly BulkResult[]> {
  const results = await publishTokens.changeSeveral(action, ids);
  const others = results.filter(({ code }) => code === 'token_not_found').map(({ tokenId }) => tokenId);
  if (others.length === 0) return results;
  const found = new Map(
    (await subscribeTokens.changeSeveral(action, others)).map((result) => [result.tokenId, result]),
  );
  return results.map((result) => {
    const { tokenId, done, code } = found.get(result.tokenId) ?? result;
    return done ? { tokenId, done } : { tokenId, done, code, message: notFoundMessage(tokenId) };
  });
}

async function undefinedIfNotFound(request: Promise<TokenBody>): Promise<TokenBody | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ManagementError && error.code === 'token_not_found') return undefined;
    throw error;
  }
}

function notFoundMessage(id: number): string {
  return `No token with id: ${id}`;
}

import type { ManagementClient } from '../../../src/management/management-client.js';
import { ManagementError } from '../../../src/management/management-error.js';
import { updatePublishToken, updateSubscribeToken, type TokenBody } from '../../../src/wire/management/token.js';
import type { DisabledTokens } from '../../../src/wire/management/token-disable.js';
import { parse } from '../../http/request/parse.js';
import type { TokenKind } from '../../tokens/token-record.js';
import { CommandError } from '../command.js';

// The API has an address for each kind. A person has an id, and ids are not given twice.

/** @throws {CommandError} `token_not_found` */
export async function findToken(
  { publishTokens, subscribeTokens }: ManagementClient,
  id: number,
): Promise<{ readonly kind: TokenKind; readonly token: TokenBody }> {
  const published = await unlessMissing(publishTokens.get(id));
  if (published) return { kind: 'publish', token: published };
  const subscribed = await unlessMissing(subscribeTokens.get(id));
  if (subscribed) return { kind: 'subscribe', token: subscribed };
  throw new CommandError('token_not_found', notFound(id));
}

/** @throws {CommandError} `token_not_found` */
export async function changeToken(client: ManagementClient, id: number, change: object): Promise<TokenBody> {
  const { kind } = await findToken(client, id);
  return kind === 'publish'
    ? await client.publishTokens.update(id, parse(updatePublishToken, change))
    : await client.subscribeTokens.update(id, parse(updateSubscribeToken, change));
}

/** Publish tokens together; the API disables subscribe tokens one by one. */
export async function disableTokens(
  { publishTokens, subscribeTokens }: ManagementClient,
  ids: readonly number[],
): Promise<DisabledTokens> {
  const { successfulTokens, failedTokens: others } = await publishTokens.disable(ids);
  const answer: DisabledTokens = { successfulTokens: [...successfulTokens], failedTokens: [] };
  for (const { tokenId } of others) {
    const disabled = await unlessMissing(subscribeTokens.update(tokenId, { isActive: false }));
    if (disabled) answer.successfulTokens.push(tokenId);
    else answer.failedTokens.push({ tokenId, errorMessage: notFound(tokenId) });
  }
  return answer;
}

async function unlessMissing(asked: Promise<TokenBody>): Promise<TokenBody | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ManagementError && error.code === 'token_not_found') return undefined;
    throw error;
  }
}

function notFound(id: number): string {
  return `No token with id: ${id}`;
}

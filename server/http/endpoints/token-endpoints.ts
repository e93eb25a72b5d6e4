import * as z from 'zod/mini';
import { activeTokens, activeTokensQuery } from '../../../src/wire/management/active-tokens.js';
import { disabledTokens, disableTokens } from '../../../src/wire/management/token-disable.js';
import {
  createPublishToken,
  createSubscribeToken,
  tokenId,
  tokenList,
  tokenListQuery,
  tokenRecord,
  updatePublishToken,
  updateSubscribeToken,
} from '../../../src/wire/management/token.js';
import { tokenNameQuery } from '../../../src/wire/management/token-name-query.js';
import type { Endpoint } from './endpoint.js';

const tokenAnswer = z.object({ status: z.literal('success'), data: tokenRecord });
const done = z.object({ status: z.literal('success'), data: z.literal(true) });
const params = z.object({ id: tokenId });
const idempotency = z.object({ 'Idempotency-Key': z.optional(z.string().check(z.minLength(1), z.maxLength(255))) });
const active = z.object({ status: z.literal('success'), data: activeTokens });

const FIELD_CODES = ['invalid_pattern', 'invalid_origin', 'invalid_address', 'binding_with_list', 'unsupported_field'];
const NOT_FOUND = { 404: ['token_not_found'] };

function operationsOf(kind: 'Publish' | 'Subscribe', create: z.ZodMiniType, update: z.ZodMiniType): Endpoint[] {
  const path = `/api/${kind.toLowerCase()}_token`;
  const common = { tag: `${kind} tokens`, access: 'account' } as const;
  const what = `a ${kind.toLowerCase()} token`;
  return [
    {
      ...common,
      method: 'post',
      path,
      id: `create${kind}Token`,
      summary: `Make ${what}`,
      description:
        'Every field may be left out. A token without streams permits none. With an Idempotency-Key the same request may be sent again for a day, and is answered with the same token.',
      headers: idempotency,
      body: create,
      answer: tokenAnswer,
      codes: { 400: FIELD_CODES, 422: ['idempotency_key_reused'] },
    },
    {
      ...common,
      method: 'get',
      path: `${path}/list`,
      id: `list${kind}Tokens`,
      summary: `List the ${kind.toLowerCase()} tokens`,
      query: tokenListQuery,
      answer: tokenList,
    },
    {
      ...common,
      method: 'get',
      path: `${path}/list_by_name`,
      id: `list${kind}TokensByName`,
      summary: `List the ${kind.toLowerCase()} tokens with this label, or for this stream`,
      query: tokenNameQuery,
      answer: tokenList,
    },
    {
      ...common,
      method: 'get',
      path: `${path}/{id}`,
      id: `get${kind}Token`,
      summary: `Show ${what}`,
      params,
      answer: tokenAnswer,
      codes: NOT_FOUND,
    },
    {
      ...common,
      method: 'put',
      path: `${path}/{id}`,
      id: `update${kind}Token`,
      summary: `Change ${what}`,
      description: 'Changes what is named and leaves the rest. Whoever it admitted and now refuses is cut off.',
      params,
      body: update,
      answer: tokenAnswer,
      codes: { 400: FIELD_CODES, ...NOT_FOUND },
    },
    {
      ...common,
      method: 'put',
      path: `/api/v2/${kind.toLowerCase()}_token/{id}`,
      id: `update${kind}TokenV2`,
      summary: `Change ${what}, at the second address that existing clients know`,
      params,
      body: update,
      answer: tokenAnswer,
      codes: { 400: FIELD_CODES, ...NOT_FOUND },
    },
    {
      ...common,
      method: 'delete',
      path: `${path}/{id}`,
      id: `delete${kind}Token`,
      summary: `Delete ${what}`,
      params,
      answer: done,
      codes: NOT_FOUND,
    },
  ];
}

/** As they are sent: what comes of them once they are read is nobody's concern. */
export const publishTokenUpdate = updatePublishToken._zod.def.in;
export const subscribeTokenUpdate = updateSubscribeToken._zod.def.in;

const ofPublishTokens = { tag: 'Publish tokens', access: 'account' } as const;

export const tokenEndpoints: readonly Endpoint[] = [
  ...operationsOf('Publish', createPublishToken, publishTokenUpdate),
  {
    ...ofPublishTokens,
    method: 'get',
    path: '/api/publish_token/active',
    id: 'listActivePublishTokens',
    summary: 'With which tokens a stream is being published',
    query: activeTokensQuery,
    answer: active,
  },
  {
    ...ofPublishTokens,
    method: 'get',
    path: '/api/publish_token/active/all',
    id: 'listAllActivePublishTokens',
    summary: 'With which tokens anything is being published',
    answer: active,
  },
  {
    ...ofPublishTokens,
    method: 'patch',
    path: '/api/publish_token/disable',
    id: 'disablePublishTokens',
    summary: 'Disable several tokens',
    body: disableTokens,
    answer: z.object({ status: z.literal('success'), data: disabledTokens }),
  },
  ...operationsOf('Subscribe', createSubscribeToken, subscribeTokenUpdate),
];

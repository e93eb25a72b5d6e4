import * as z from 'zod/mini';
import { activeTokens, activeTokensQuery } from '../../../src/wire/management/active-tokens.js';
import { disabledTokens, disableTokens } from '../../../src/wire/management/token-disable.js';
import {
  changedTokens,
  changeTokens,
  openTokenSessions,
  sessionsOfTokens,
} from '../../../src/wire/management/token-bulk.js';
import {
  createPublishToken,
  createSubscribeToken,
  tokenId,
  tokenList,
  tokenListQuery,
  tokenNameQuery,
  tokenRecord,
  updatePublishToken,
  updateSubscribeToken,
} from '../../../src/wire/management/token.js';
import { importQuery, MAX_IMPORT_BYTES, tokenImport } from '../../../src/wire/management/token-import.js';
import type { TokenChange, TokenFields } from '../../tokens/token-service.js';
import { IF_MATCH } from '../request/entity-tag.js';
import { defineEndpoints, successOf } from './endpoint.js';

const FIELD_CODES = ['invalid_pattern', 'invalid_origin', 'invalid_address', 'binding_with_list', 'unsupported_field'];
/** Not the value: a table is passed on more easily than a token should be. */
const CSV_COLUMNS = [
  'id',
  'label',
  'isActive',
  'addedOn',
  'expiresOn',
  'streams',
  'allowedOrigins',
  'allowedIpAddresses',
  'deniedIpAddresses',
  'bindIpsOnUsage',
  'allowedCountries',
  'deniedCountries',
  'subscribeRequiresAuth',
  'record',
  'recordingRetentionDays',
  'maxSessions',
  'whenFull',
];
const CSV_NOTE =
  'With `Accept: text/csv` the page is a table without the values of the tokens, and the header Link names the next page.';
const NOT_FOUND = { 404: ['token_not_found'] };
const NOT_READ = { ...NOT_FOUND, 409: ['stored_row_unreadable'] };

const updateHeaders = z.object({
  'If-Match': z.optional(z.string().check(z.maxLength(255), z.regex(IF_MATCH, 'must be an ETag, or *'))),
});
const tokenParams = z.object({ id: tokenId });
const tokenResponse = successOf(tokenRecord);
const activeResponse = successOf(activeTokens);

/** The `create` and `update` schemas of a kind of token. */
interface TokenSchemas {
  readonly create: z.ZodMiniType<TokenFields>;
  readonly update: z.ZodMiniType<TokenChange>;
}

/** The endpoints that both kinds of token have. */
export type TokenEndpoints = ReturnType<typeof tokenEndpointsOf>;

function tokenEndpointsOf(kind: 'Publish' | 'Subscribe', { create, update }: TokenSchemas) {
  const word = kind.toLowerCase();
  const path = `/api/${word}_token`;
  const common = { tag: `${kind} tokens`, access: 'account' } as const;
  // Both answer with the values of tokens. A caller with `tokens` also has `read` (server/accounts/permission.ts).
  const reading = { ...common, permission: 'read' } as const;
  const changing = { ...common, permission: 'tokens' } as const;
  return defineEndpoints({
    create: {
      ...changing,
      method: 'post',
      path,
      id: `create${kind}Token`,
      summary: `Create a ${word} token`,
      description:
        'Every field is optional. A token without streams permits none. With an Idempotency-Key, the same request can be repeated for a day and is answered with the same token.',
      headers: z.object({
        'Idempotency-Key': z.optional(
          z
            .string()
            .check(
              z.minLength(1),
              z.maxLength(255),
              z.regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters'),
            ),
        ),
      }),
      body: create,
      response: tokenResponse,
      errors: { 400: FIELD_CODES, 422: ['idempotency_key_reused'] },
    },
    list: {
      ...reading,
      method: 'get',
      path: `${path}/list`,
      id: `list${kind}Tokens`,
      isHeavy: true,
      summary: `List the ${word} tokens`,
      description: CSV_NOTE,
      query: tokenListQuery,
      response: tokenList,
      csvColumns: CSV_COLUMNS,
    },
    listByName: {
      ...reading,
      method: 'get',
      path: `${path}/list_by_name`,
      id: `list${kind}TokensByName`,
      isHeavy: true,
      summary: `List the ${word} tokens with this label, or for this stream`,
      description: CSV_NOTE,
      query: tokenNameQuery,
      response: tokenList,
      csvColumns: CSV_COLUMNS,
    },
    change: {
      ...changing,
      method: 'post',
      path: `${path}/bulk`,
      id: `change${kind}Tokens`,
      isHeavy: true,
      summary: `Enable, disable or delete several ${word} tokens`,
      description:
        'Changes each token independently, up to 1,000, and says of each whether it is done. Sessions that a token no longer permits are disconnected.',
      body: changeTokens,
      response: successOf(changedTokens),
    },
    import: {
      ...changing,
      method: 'post',
      path: `${path}/import`,
      id: `import${kind}Tokens`,
      isHeavy: true,
      summary: `Create ${word} tokens from a table`,
      description:
        'CSV (RFC 4180) with the columns of the list; commas, semicolons or tabs between cells. Creates all of them, up to 1,000, or none: the error names each line that is wrong. With `dryRun=true` the table is only checked. Each token gets a new value. With `Accept: text/csv` the answer is a table of links, which contain the tokens.',
      query: importQuery,
      body: z.string(),
      bodyType: 'text/csv',
      bodyLimit: MAX_IMPORT_BYTES,
      response: successOf(tokenImport),
      csvColumns: ['id', 'label', 'streamName', 'link', 'token'],
      csvRows: 'links',
      errors: { 400: ['csv_unreadable', 'import_refused'], 413: ['body_too_large'], 415: ['not_csv'] },
    },
    get: {
      ...reading,
      method: 'get',
      path: `${path}/{id}`,
      id: `get${kind}Token`,
      summary: `Get a ${word} token`,
      params: tokenParams,
      response: tokenResponse,
      errors: NOT_READ,
    },
    update: {
      ...changing,
      method: 'put',
      path: `${path}/{id}`,
      id: `update${kind}Token`,
      summary: `Change a ${word} token`,
      description:
        'Changes the given fields only. Sessions that the token no longer permits are disconnected. With If-Match, the ETag of an earlier answer, the change is refused if the token was changed in the meantime.',
      params: tokenParams,
      headers: updateHeaders,
      body: update,
      response: tokenResponse,
      errors: { 400: FIELD_CODES, ...NOT_READ, 412: ['etag_mismatch'] },
    },
    updateV2: {
      ...changing,
      method: 'put',
      path: `/api/v2/${word}_token/{id}`,
      id: `update${kind}TokenV2`,
      summary: `Change a ${word} token, at the second path that existing clients use`,
      params: tokenParams,
      headers: updateHeaders,
      body: update,
      response: tokenResponse,
      errors: { 400: FIELD_CODES, ...NOT_READ, 412: ['etag_mismatch'] },
    },
    delete: {
      ...changing,
      method: 'delete',
      path: `${path}/{id}`,
      id: `delete${kind}Token`,
      summary: `Delete a ${word} token`,
      params: tokenParams,
      response: successOf(z.literal(true)),
      errors: NOT_FOUND,
    },
  });
}

export const publishTokenEndpoints = tokenEndpointsOf('Publish', {
  create: createPublishToken,
  update: updatePublishToken,
});

export const subscribeTokenEndpoints = tokenEndpointsOf('Subscribe', {
  create: createSubscribeToken,
  update: updateSubscribeToken,
});

const ofPublishTokens = { tag: 'Publish tokens', access: 'account' } as const;

export const disableTokensEndpoints = defineEndpoints({
  disable: {
    ...ofPublishTokens,
    method: 'patch',
    path: '/api/publish_token/disable',
    id: 'disablePublishTokens',
    isHeavy: true,
    permission: 'tokens',
    summary: 'Disable several publish tokens',
    body: disableTokens,
    response: successOf(disabledTokens),
  },
});

/** Only a running server knows which tokens are live. */
export const activeTokenEndpoints = defineEndpoints({
  active: {
    ...ofPublishTokens,
    method: 'get',
    path: '/api/publish_token/active',
    id: 'listActivePublishTokens',
    permission: 'figures',
    summary: 'List the tokens that a stream is being published with',
    query: activeTokensQuery,
    response: activeResponse,
  },
  activeAll: {
    ...ofPublishTokens,
    method: 'get',
    path: '/api/publish_token/active/all',
    id: 'listAllActivePublishTokens',
    isHeavy: true,
    permission: 'figures',
    summary: 'List the tokens that any stream of the account is being published with',
    response: activeResponse,
  },
});

function openSessionsOf(kind: 'Publish' | 'Subscribe', who: string) {
  const word = kind.toLowerCase();
  return {
    method: 'post',
    path: `/api/${word}_token/open_sessions`,
    id: `count${kind}TokenSessions`,
    tag: `${kind} tokens`,
    access: 'account',
    permission: 'figures',
    summary: `Count the ${who} that are connected to this server with these ${word} tokens`,
    body: sessionsOfTokens,
    response: successOf(openTokenSessions),
  } as const;
}

/** Only a running server knows which sessions are open. */
export const openSessionsEndpoints = defineEndpoints({
  publish: openSessionsOf('Publish', 'broadcasts'),
  subscribe: openSessionsOf('Subscribe', 'viewers'),
});

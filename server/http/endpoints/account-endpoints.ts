import * as z from 'zod/mini';
import {
  apiKeyBody,
  apiKeyId,
  apiKeyList,
  apiKeyListQuery,
  apiKeyWithValue,
  createApiKey,
  rotateApiKey,
  updateApiKey,
} from '../../../src/wire/management/api-key.js';
import { defineEndpoints, successOf } from './endpoint.js';

const common = { tag: 'Account', access: 'account', permission: 'account' } as const;
const keyParams = z.object({ id: apiKeyId });
const withValue = successOf(apiKeyWithValue);
const path = '/api/account/keys';

export const apiKeyEndpoints = defineEndpoints({
  create: {
    ...common,
    method: 'post',
    path,
    id: 'createApiKey',
    summary: 'Create a named key for a machine',
    description: 'The answer is the only one with the value. No key gets more permissions than its creator has.',
    body: createApiKey,
    response: withValue,
  },
  list: {
    ...common,
    method: 'get',
    path,
    id: 'listApiKeys',
    summary: 'List the keys, newest first, with their last use',
    query: apiKeyListQuery,
    response: apiKeyList,
  },
  update: {
    ...common,
    method: 'put',
    path: `${path}/{id}`,
    id: 'updateApiKey',
    summary: 'Change the name, scopes or expiry of a key',
    params: keyParams,
    body: updateApiKey,
    response: successOf(apiKeyBody),
    errors: { 404: ['key_not_found'], 409: ['key_revoked'] },
  },
  rotate: {
    ...common,
    method: 'post',
    path: `${path}/{id}/rotate`,
    id: 'rotateApiKey',
    summary: 'Give a key a new value',
    description: 'The old value stays valid for `oldValueExpires` seconds, so that two values are valid at once.',
    params: keyParams,
    body: z.prefault(rotateApiKey, {}),
    response: withValue,
    errors: { 404: ['key_not_found'], 409: ['key_revoked'] },
  },
  revoke: {
    ...common,
    method: 'delete',
    path: `${path}/{id}`,
    id: 'revokeApiKey',
    summary: 'Revoke a key at once, on every server',
    description: 'The key stays in the list. Revoking it again changes nothing.',
    params: keyParams,
    response: successOf(apiKeyBody),
    errors: { 404: ['key_not_found'] },
  },
});

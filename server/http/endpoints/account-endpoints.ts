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
import { apiSecretState, apiSecretValue } from '../../../src/wire/management/api-secret.js';
import { loginId, loginList, loginsEnded } from '../../../src/wire/management/login.js';
import {
  createMember,
  memberBody,
  memberId,
  memberList,
  memberWithLink,
  updateMember,
} from '../../../src/wire/management/member.js';
import { defineEndpoints, successOf } from './endpoint.js';

const common = { tag: 'Account', access: 'account', permission: 'account' } as const;
const ofPeople = { ...common, callers: 'people' } as const;
const keyParams = z.object({ id: apiKeyId });
const withValue = successOf(apiKeyWithValue);
const path = '/api/account/keys';

const secretPath = '/api/account/secret';
const secretResponse = successOf(apiSecretValue);

export const apiSecretEndpoints = defineEndpoints({
  state: {
    ...common,
    method: 'get',
    path: secretPath,
    id: 'getApiSecret',
    summary: 'Show whether there is an API secret, and its last use',
    response: successOf(apiSecretState),
  },
  create: {
    ...ofPeople,
    method: 'post',
    path: secretPath,
    id: 'createApiSecret',
    summary: 'Create the API secret of an account that has none',
    description: 'The answer is the only one with the value.',
    response: secretResponse,
    errors: { 409: ['secret_exists'] },
  },
  refresh: {
    ...ofPeople,
    method: 'post',
    path: `${secretPath}/refresh`,
    id: 'refreshApiSecret',
    summary: 'Replace the API secret',
    description: 'The old one is refused at once.',
    response: secretResponse,
    errors: { 404: ['secret_not_found'] },
  },
  delete: {
    ...ofPeople,
    method: 'delete',
    path: secretPath,
    id: 'deleteApiSecret',
    summary: 'Delete the API secret',
    description: 'Every call that presents it is refused; keys still work.',
    response: successOf(z.literal(true)),
    errors: { 404: ['secret_not_found'] },
  },
});

const membersPath = '/api/account/members';
const memberParams = z.object({ id: memberId });
const memberErrors = { 404: ['member_not_found'] };

export const memberEndpoints = defineEndpoints({
  list: {
    ...common,
    method: 'get',
    path: membersPath,
    id: 'listMembers',
    summary: 'List the members of the account, the oldest first',
    response: memberList,
  },
  create: {
    ...ofPeople,
    method: 'post',
    path: membersPath,
    id: 'inviteMember',
    summary: 'Add a member, with a login link',
    description: 'The answer is the only one with the link, which opens the dashboard once, within a week.',
    body: createMember,
    response: successOf(memberWithLink),
  },
  link: {
    ...ofPeople,
    method: 'post',
    path: `${membersPath}/{id}/link`,
    id: 'inviteMemberAgain',
    summary: 'Create another login link for a member',
    description: 'Links from before, which were not opened, stop working.',
    params: memberParams,
    response: successOf(memberWithLink),
    errors: memberErrors,
  },
  update: {
    ...ofPeople,
    method: 'put',
    path: `${membersPath}/{id}`,
    id: 'updateMember',
    summary: 'Change the name or the role of a member',
    description: 'A role takes effect at the next call of the member, on every server.',
    params: memberParams,
    body: updateMember,
    response: successOf(memberBody),
    errors: memberErrors,
  },
  remove: {
    ...ofPeople,
    method: 'delete',
    path: `${membersPath}/{id}`,
    id: 'removeMember',
    summary: 'Remove a member, and log them out everywhere',
    params: memberParams,
    response: successOf(z.literal(true)),
    errors: memberErrors,
  },
});

export const loginEndpoints = defineEndpoints({
  list: {
    ...common,
    method: 'get',
    path: '/api/account/logins',
    id: 'listLogins',
    summary: 'List the browsers that are logged in to the dashboard, the last seen first',
    response: loginList,
  },
  end: {
    ...ofPeople,
    method: 'delete',
    path: '/api/account/logins/{id}',
    id: 'endLogin',
    summary: 'Log one browser out, at once on every server',
    params: z.object({ id: loginId }),
    response: successOf(z.literal(true)),
    errors: { 404: ['login_not_found'] },
  },
  endOthers: {
    ...ofPeople,
    method: 'delete',
    path: '/api/account/logins',
    id: 'endOtherLogins',
    summary: 'Log every browser out, except the one that calls',
    response: loginsEnded,
  },
});

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
    errors: { 404: ['key_not_found'], 409: ['key_revoked', 'stored_row_unreadable'] },
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
    errors: { 404: ['key_not_found'], 409: ['key_revoked', 'stored_row_unreadable'] },
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

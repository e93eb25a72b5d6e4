import * as z from 'zod/mini';
import { memberBody, joinAccount } from '../../../src/wire/management/member.js';
import {
  addPasskey,
  passkeyBody,
  passkeyCreationOptions,
  passkeyId,
  passkeyList,
  updatePasskey,
} from '../../../src/wire/management/passkey.js';
import { defineEndpoints, successOf } from './endpoint.js';

// Every member has ways to sign in, whatever their role.
const common = { tag: 'Account', access: 'account', permission: 'figures' } as const;
const path = '/api/account/passkeys';
const params = z.object({ id: passkeyId });
const ofMembers = 'Only for a member who is logged in at the dashboard: each changes their own.';
const memberRequired = { 403: ['member_required'] };

export const passkeyEndpoints = defineEndpoints({
  join: {
    ...common,
    permission: 'account',
    callers: 'people',
    method: 'post',
    path: '/api/account/members/self',
    id: 'joinAccount',
    summary: 'Become a member, after a login with a link of the operator',
    description: 'The login becomes that of a new member with the role owner, who can then have passkeys.',
    body: joinAccount,
    response: successOf(memberBody),
    errors: { 409: ['already_member'] },
  },
  list: {
    ...common,
    method: 'get',
    path,
    id: 'listPasskeys',
    summary: 'List your passkeys, the oldest first',
    description: ofMembers,
    response: passkeyList,
    errors: memberRequired,
  },
  options: {
    ...common,
    method: 'post',
    path: `${path}/options`,
    id: 'getPasskeyCreationOptions',
    summary: 'Get what a browser needs to make a passkey',
    description: `The challenge can be answered once, within five minutes. ${ofMembers}`,
    response: successOf(passkeyCreationOptions),
    errors: memberRequired,
  },
  add: {
    ...common,
    method: 'post',
    path,
    id: 'addPasskey',
    summary: 'Add a passkey that a browser has made',
    description: ofMembers,
    body: addPasskey,
    response: successOf(passkeyBody),
    errors: {
      400: ['passkey_challenge_wrong', 'passkey_site_wrong', 'passkey_wrong'],
      ...memberRequired,
      409: ['passkey_exists', 'passkeys_full'],
    },
  },
  rename: {
    ...common,
    method: 'put',
    path: `${path}/{id}`,
    id: 'renamePasskey',
    summary: 'Rename one of your passkeys',
    description: ofMembers,
    params,
    body: updatePasskey,
    response: successOf(passkeyBody),
    errors: { ...memberRequired, 404: ['passkey_not_found'] },
  },
  remove: {
    ...common,
    method: 'delete',
    path: `${path}/{id}`,
    id: 'removePasskey',
    summary: 'Remove one of your passkeys',
    description: `Browsers that are logged in stay so. ${ofMembers}`,
    params,
    response: successOf(z.literal(true)),
    errors: { ...memberRequired, 404: ['passkey_not_found'] },
  },
});

import * as z from 'zod/mini';
import { passwordOptions, passwordState, setPassword } from '../../../src/wire/management/password.js';
import { defineEndpoints, successOf } from './endpoint.js';

// Every member has ways to log in, whatever their role.
const common = { tag: 'Account', access: 'account', permission: 'figures' } as const;
const path = '/api/account/password';
const ofMembers = 'Only for a member who is logged in at the dashboard: each changes their own.';
const memberRequired = { 403: ['member_required'] };

export const passwordEndpoints = defineEndpoints({
  state: {
    ...common,
    method: 'get',
    path,
    id: 'getPassword',
    summary: 'Get whether you have a password, with the login name',
    description: ofMembers,
    response: successOf(passwordState),
    errors: memberRequired,
  },
  options: {
    ...common,
    callers: 'people',
    method: 'post',
    path: `${path}/options`,
    id: 'getPasswordOptions',
    summary: 'Get a new secret for an authenticator app',
    description: 'The secret becomes yours when you set a password with it, within ten minutes.',
    response: successOf(passwordOptions),
  },
  set: {
    ...common,
    method: 'put',
    path,
    id: 'setPassword',
    summary: 'Set or replace your password, with an authenticator app',
    description: ofMembers,
    body: setPassword,
    response: successOf(passwordState),
    errors: {
      400: ['password_unfit', 'setup_wrong'],
      ...memberRequired,
      409: ['login_name_taken'],
      429: ['too_many_attempts'],
    },
  },
  remove: {
    ...common,
    method: 'delete',
    path,
    id: 'removePassword',
    summary: 'Remove your password',
    description: `Browsers that are logged in stay so. ${ofMembers}`,
    response: successOf(z.literal(true)),
    errors: { ...memberRequired, 404: ['password_not_found'] },
  },
});

import { accountLimitsBody } from '../../../src/wire/management/account-limits.js';
import { defineEndpoints, successOf } from './endpoint.js';

export const limitEndpoints = defineEndpoints({
  limits: {
    tag: 'Account',
    access: 'account',
    permission: 'figures',
    method: 'get',
    path: '/api/account/limits',
    id: 'getAccountLimits',
    summary: 'Show what the operator of the server permits the account, and how many sessions are open',
    description: 'Only the operator changes limits, by the command line of the server: `streamgate account limits`.',
    response: successOf(accountLimitsBody),
  },
});

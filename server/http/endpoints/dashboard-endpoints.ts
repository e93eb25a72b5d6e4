import * as z from 'zod/mini';
import { dashboardLogin, dashboardSession } from '../../../src/wire/management/dashboard-session.js';
import { passkeyLogin, passkeyRequestOptions } from '../../../src/wire/management/passkey.js';
import { passwordLogin } from '../../../src/wire/management/password.js';
import { DATABASE_CODES, defineEndpoints, successOf } from './endpoint.js';

const common = { tag: 'Dashboard', access: 'open' } as const;
const sessionResponse = successOf(dashboardSession);

export const dashboardEndpoints = defineEndpoints({
  login: {
    ...common,
    method: 'post',
    path: '/api/dashboard/login',
    id: 'login',
    summary: 'Exchange the code of a login link for the session cookie of the dashboard',
    body: dashboardLogin,
    response: sessionResponse,
    errors: {
      401: ['login_code_wrong'],
      403: ['cross_site_refused'],
      429: ['too_many_attempts'],
      ...DATABASE_CODES,
    },
  },
  passkeyOptions: {
    ...common,
    method: 'post',
    path: '/api/dashboard/passkey/options',
    id: 'getPasskeyRequestOptions',
    summary: 'Get what a browser needs to log in with a passkey',
    description: 'The challenge can be answered once, within five minutes.',
    response: successOf(passkeyRequestOptions),
    errors: { 403: ['cross_site_refused'] },
  },
  passkeyLogin: {
    ...common,
    method: 'post',
    path: '/api/dashboard/passkey',
    id: 'loginWithPasskey',
    summary: 'Exchange the answer of a passkey for the session cookie of the dashboard',
    description: 'Needs no name: the passkey says which member it is.',
    body: passkeyLogin,
    response: sessionResponse,
    errors: {
      401: ['passkey_challenge_wrong', 'passkey_site_wrong', 'passkey_unknown', 'passkey_wrong'],
      403: ['cross_site_refused'],
      429: ['too_many_attempts'],
      ...DATABASE_CODES,
    },
  },
  passwordLogin: {
    ...common,
    method: 'post',
    path: '/api/dashboard/password',
    id: 'loginWithPassword',
    summary: 'Exchange a login name, a password and a code for the session cookie of the dashboard',
    description: 'The code is that of an authenticator app, and works once. Failed attempts are slowed on all servers.',
    body: passwordLogin,
    response: sessionResponse,
    errors: {
      401: ['password_wrong'],
      403: ['cross_site_refused'],
      429: ['too_many_attempts'],
      ...DATABASE_CODES,
    },
  },
  session: {
    ...common,
    method: 'get',
    path: '/api/dashboard/session',
    id: 'getSession',
    summary: 'Get the account of the session cookie',
    response: sessionResponse,
    errors: { 401: ['login_required'], 429: ['too_many_attempts'], 503: ['database_unavailable'] },
  },
  logout: {
    ...common,
    method: 'post',
    path: '/api/dashboard/logout',
    id: 'logout',
    summary: 'End the dashboard login',
    response: successOf(z.literal(true)),
    errors: { 403: ['cross_site_refused'], 429: ['too_many_attempts'], ...DATABASE_CODES },
  },
});

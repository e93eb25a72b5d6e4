import * as z from 'zod/mini';
import { dashboardLogin, dashboardSession } from '../../../src/wire/management/dashboard-session.js';
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

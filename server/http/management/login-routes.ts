import type { Request, RequestHandler, Router } from 'express';
import type { LoginBody } from '../../../src/wire/management/login.js';
import type { DashboardLogin } from '../../accounts/dashboard-login.js';
import type { StoredLogin } from '../../accounts/dashboard-login-store.js';
import { NotFoundError } from '../../errors.js';
import { loginEndpoints } from '../endpoints/account-endpoints.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { success } from '../endpoints/endpoint.js';
import { managementCallerOf } from './management-access.js';

/** `/api/account/logins`: the browsers that are logged in to the dashboard of the account. */
export function loginRoutes(dashboard: DashboardLogin, accountAccess: RequestHandler): Router {
  return endpointRouter(
    loginEndpoints,
    {
      async list({ accountId, req }) {
        const current = currentLogin(req);
        return success((await dashboard.list(accountId)).map((login) => loginBody(login, current)));
      },
      async end({ accountId, params: { id } }) {
        if (!(await dashboard.end(accountId, id))) {
          throw new NotFoundError('login_not_found', `No browser is logged in with id: ${id}`);
        }
        return success(true);
      },
      endOthers: async ({ accountId, req }) =>
        success({ ended: await dashboard.endOthers(accountId, currentLogin(req)) }),
    },
    { accountAccess },
  );
}

/** Undefined: the caller has no login, but a secret or a key. */
function currentLogin(req: Request): string | undefined {
  const { actor } = managementCallerOf(req);
  return actor.by === 'dashboard' ? (actor.id ?? undefined) : undefined;
}

function loginBody(login: StoredLogin, current: string | undefined): LoginBody {
  const { id, createdOn, lastSeenOn, lastSeenFrom, userAgent, memberName, expiresOn } = login;
  return {
    id,
    createdOn: textOrNull(createdOn),
    lastSeenOn: textOrNull(lastSeenOn),
    lastSeenFrom: lastSeenFrom || null,
    userAgent,
    memberName,
    expiresOn: new Date(expiresOn).toISOString(),
    current: id === current,
  };
}

function textOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

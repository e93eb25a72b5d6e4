import type { RequestHandler, Router } from 'express';
import type { PasswordState } from '../../../src/wire/management/password.js';
import type { PasswordService } from '../../accounts/passwords/password-service.js';
import type { StoredPassword } from '../../accounts/passwords/password-store.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { success } from '../endpoints/endpoint.js';
import { passwordEndpoints } from '../endpoints/password-endpoints.js';
import { memberOf } from './passkey-routes.js';

/** `/api/account/password`: each member has their own. */
export function passwordRoutes(passwords: PasswordService, accountAccess: RequestHandler): Router {
  return endpointRouter(
    passwordEndpoints,
    {
      state: async ({ req }) => success(passwordStateOf(await passwords.find(memberOf(req).id))),
      options: ({ accountId }) => success(passwords.options(accountId)),
      set: async ({ body, req }) => success(passwordStateOf(await passwords.set(memberOf(req), body))),
      async remove({ req }) {
        await passwords.remove(memberOf(req).id);
        return success(true);
      },
    },
    { accountAccess },
  );
}

function passwordStateOf(password: StoredPassword | undefined): PasswordState {
  if (!password) return { loginName: null, createdOn: null, lastUsedOn: null };
  const { loginName, createdOn, lastUsedOn } = password;
  return {
    loginName,
    createdOn: new Date(createdOn).toISOString(),
    lastUsedOn: lastUsedOn === null ? null : new Date(lastUsedOn).toISOString(),
  };
}

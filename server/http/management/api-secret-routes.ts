import type { RequestHandler, Router } from 'express';
import type { ApiSecretService } from '../../accounts/api-secret-service.js';
import { apiSecretEndpoints } from '../endpoints/account-endpoints.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { success } from '../endpoints/endpoint.js';

/** `/api/account/secret`. A program that has the secret or a key can read the state, and change nothing. */
export function apiSecretRoutes(secrets: ApiSecretService, accountAccess: RequestHandler): Router {
  const valueOf = (secret: string) => success({ id: secrets.idOf(secret), secret });
  return endpointRouter(
    apiSecretEndpoints,
    {
      async state({ accountId }) {
        const found = await secrets.state(accountId);
        return success({
          exists: found !== undefined,
          id: found?.id ?? null,
          createdOn: isoOrNull(found?.createdOn),
          lastUsedOn: isoOrNull(found?.lastUse?.time),
          lastUsedFrom: found?.lastUse?.from || null,
        });
      },
      create: async ({ accountId }) => valueOf(await secrets.create(accountId)),
      refresh: async ({ accountId }) => valueOf(await secrets.refresh(accountId)),
      async delete({ accountId }) {
        await secrets.delete(accountId);
        return success(true);
      },
    },
    { accountAccess },
  );
}

function isoOrNull(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

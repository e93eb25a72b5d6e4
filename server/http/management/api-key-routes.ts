import type { Request, RequestHandler, Router } from 'express';
import type { ApiKeyBody, ApiKeyScope, ApiKeyWithValue } from '../../../src/wire/management/api-key.js';
import type { ApiKey } from '../../accounts/api-key.js';
import type { ApiKeyService, NewApiKeyValue } from '../../accounts/api-key-service.js';
import { permissionsOfScopes } from '../../accounts/permission.js';
import { apiKeyEndpoints } from '../endpoints/account-endpoints.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { success } from '../endpoints/endpoint.js';
import { refuseMissingPermissions } from './management-access.js';

/** `/api/account/keys`. A caller can make, change and rotate only keys that have no more permissions than they have. */
export function apiKeyRoutes(keys: ApiKeyService, accountAccess: RequestHandler): Router {
  return endpointRouter(
    apiKeyEndpoints,
    {
      async create({ accountId, body, req }) {
        refuseWiderScopes(req, body.scopes);
        return success(withValue(await keys.create(accountId, body)));
      },
      async list({ accountId, query }) {
        const { keys: found, total } = await keys.list(accountId, query);
        return success(found.map(apiKeyBodyOf), { total, page: query.page, itemsOnPage: query.itemsOnPage });
      },
      async update({ accountId, params: { id }, body, req }) {
        refuseWiderScopes(req, body.scopes ?? []);
        const guard = ({ scopes }: ApiKey) => refuseWiderScopes(req, scopes);
        return success(apiKeyBodyOf(await keys.update(accountId, id, body, guard)));
      },
      async rotate({ accountId, params: { id }, body: { oldValueExpires }, req }) {
        const guard = ({ scopes }: ApiKey) => refuseWiderScopes(req, scopes);
        return success(withValue(await keys.rotate(accountId, id, oldValueExpires, guard)));
      },
      revoke: async ({ accountId, params: { id } }) => success(apiKeyBodyOf(await keys.revoke(accountId, id))),
    },
    { accountAccess },
  );
}

function refuseWiderScopes(req: Request, scopes: readonly ApiKeyScope[]): void {
  refuseMissingPermissions(req, permissionsOfScopes(scopes));
}

function withValue({ key, value }: NewApiKeyValue): ApiKeyWithValue {
  return { ...apiKeyBodyOf(key), value };
}

function apiKeyBodyOf(key: ApiKey): ApiKeyBody {
  const { id, name, scopes, createdOn, expiresOn, lastUse, oldValue, revokedOn, unreadable } = key;
  return {
    id,
    name,
    scopes: [...scopes],
    createdOn: new Date(createdOn).toISOString(),
    expiresOn: isoOrNull(expiresOn),
    lastUsedOn: isoOrNull(lastUse?.time ?? null),
    lastUsedFrom: lastUse?.from || null,
    oldValueExpiresOn: isoOrNull(oldValue?.expiresOn ?? null),
    revokedOn: isoOrNull(revokedOn),
    fault: unreadable ? UNREADABLE : null,
  };
}

const UNREADABLE: ApiKeyBody['fault'] = {
  code: 'stored_row_unreadable',
  message: 'This key cannot be read, and opens nothing: revoke it, and create another one',
};

function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

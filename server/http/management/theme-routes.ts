import type { RequestHandler, Router } from 'express';
import { themeBodyOf } from '../../accounts/theme/theme.js';
import type { ThemeService } from '../../accounts/theme/theme-service.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { success } from '../endpoints/endpoint.js';
import { themeEndpoints } from '../endpoints/theme-endpoints.js';

/** `/api/account/theme` */
export function themeRoutes(themes: ThemeService, accountAccess: RequestHandler): Router {
  return endpointRouter(
    themeEndpoints,
    {
      async get({ accountId }) {
        return success(themeBodyOf(accountId, await themes.get(accountId)));
      },
      async update({ accountId, body }) {
        return success(themeBodyOf(accountId, await themes.update(accountId, body)));
      },
      async reset({ accountId }) {
        await themes.reset(accountId);
        return success(true);
      },
    },
    { accountAccess },
  );
}

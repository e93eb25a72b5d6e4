import type { RequestHandler, Router } from 'express';
import type { PublishBitrateControl } from '../../../src/wire/management/account-limits.js';
import type { AccountLimits } from '../../accounts/limits/account-limits.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { success } from '../endpoints/endpoint.js';
import { limitEndpoints } from '../endpoints/limit-endpoints.js';

export interface LimitReader {
  limitsOf(accountId: string): AccountLimits;
  /** The open sessions of the account, on all servers. */
  sessionsOf(accountId: string): number;
  readonly publishBitrateControl: PublishBitrateControl;
}

/** `/api/account/limits` */
export function limitRoutes(
  { limitsOf, sessionsOf, publishBitrateControl }: LimitReader,
  accountAccess: RequestHandler,
): Router {
  return endpointRouter(
    limitEndpoints,
    {
      limits({ accountId }) {
        return success({ ...limitsOf(accountId), publishBitrateControl, sessions: sessionsOf(accountId) });
      },
    },
    { accountAccess },
  );
}

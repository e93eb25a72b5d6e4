import type { Router } from 'express';
import { createSubscribeToken, updateSubscribeToken } from '../../../src/wire/management/token.js';
import type { TokenService } from '../../tokens/token-service.js';
import { tokenRoutes, tokenUpdateRoutes } from './token-routes.js';

/** `/api/subscribe_token`, behind `managementAccess`. */
export function subscribeTokenRoutes(tokens: TokenService): Router {
  return tokenRoutes({ kind: 'subscribe', tokens, create: createSubscribeToken, update: updateSubscribeToken });
}

/** `/api/v2/subscribe_token`, behind `managementAccess`. */
export function subscribeTokenUpdateRoutes(tokens: TokenService): Router {
  return tokenUpdateRoutes({ kind: 'subscribe', tokens, update: updateSubscribeToken });
}

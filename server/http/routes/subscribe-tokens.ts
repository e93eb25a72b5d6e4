import type { Router } from 'express';
import { createSubscribeToken, updateSubscribeToken } from '../../../src/wire/token.js';
import type { TokenService } from '../../tokens/token-service.js';
import { tokenRoutes } from './token-routes.js';

/** `/api/subscribe_token`, behind `managementAccess`. */
export function subscribeTokenRoutes(tokens: TokenService): Router {
  return tokenRoutes({ kind: 'subscribe', tokens, create: createSubscribeToken, update: updateSubscribeToken });
}

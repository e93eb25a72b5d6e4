import type { Router } from 'express';
import { createPublishToken, updatePublishToken } from '../../../src/wire/token.js';
import type { TokenService } from '../../tokens/token-service.js';
import { tokenRoutes } from './token-routes.js';

/** `/api/publish_token`, behind `managementAccess`. */
export function publishTokenRoutes(tokens: TokenService): Router {
  return tokenRoutes({ kind: 'publish', tokens, create: createPublishToken, update: updatePublishToken });
}

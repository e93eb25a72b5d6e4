export { ManagementClient } from './management/management-client.js';
export type { ManagementOptions } from './management/management-connection.js';
export { ManagementError, type ManagementErrorOptions } from './management/management-error.js';
export {
  signSubscribeToken,
  type SignedTokenClaims,
  type SigningOptions,
  type SigningParent,
} from './management/sign-subscribe-token.js';
export type { TokenCalls, TokenListOptions, TokenListPage } from './management/token-calls.js';
export type { DashboardSession } from './wire/dashboard-session.js';
export type {
  CreatePublishTokenInput,
  CreateSubscribeTokenInput,
  StreamRule,
  TokenBody,
  UpdatePublishTokenInput,
  UpdateSubscribeTokenInput,
} from './wire/token.js';

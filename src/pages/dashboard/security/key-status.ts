import type { ApiKeyBody } from '../../../wire/management/api-key.js';

export type KeyStatus = 'active' | 'expired' | 'revoked';

/** @param now milliseconds since 1970 */
export function keyStatus({ revokedOn, expiresOn }: ApiKeyBody, now: number): KeyStatus {
  if (revokedOn !== null) return 'revoked';
  return expiresOn !== null && Date.parse(expiresOn) <= now ? 'expired' : 'active';
}

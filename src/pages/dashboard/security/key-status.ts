import type { ApiKeyBody } from '../../../wire/management/api-key.js';

export type KeyStatus = 'active' | 'expired' | 'revoked' | 'unreadable';

/** @param now milliseconds since 1970 */
export function keyStatus({ revokedOn, expiresOn, fault }: ApiKeyBody, now: number): KeyStatus {
  if (revokedOn !== null) return 'revoked';
  if (fault) return 'unreadable';
  return expiresOn !== null && Date.parse(expiresOn) <= now ? 'expired' : 'active';
}

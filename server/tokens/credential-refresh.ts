import type { CredentialReader } from './credential-reader.js';
import type { TokenFollower } from './token-follower.js';

export interface CredentialRefreshParts {
  readonly credentials: CredentialReader;
  readonly follower: Pick<TokenFollower, 'refreshIfStale' | 'refreshTokenIfStale' | 'refreshParentOf'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Looks again in the database for what decides about a credential, if the directory may not know it as it is.
 * @returns how to ask for it; the answer is undefined if nobody has to wait
 */
export function credentialRefresh({ credentials, follower, now }: CredentialRefreshParts) {
  return (value: string): Promise<void> | undefined => {
    if (!value.includes('.')) return follower.refreshIfStale(value);
    const token = credentials.read(value, now());
    if (token) return follower.refreshTokenIfStale(token.id);
    const parentId = credentials.parentIdOf(value);
    return parentId === undefined ? undefined : follower.refreshParentOf(value, parentId);
  };
}

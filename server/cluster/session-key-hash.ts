import { createHash } from 'node:crypto';

/** A session key lets its owner take over a source, so the database has only the hash. The key has 192 random bits. */
export function sessionKeyHash(sessionKey: string): string {
  return createHash('sha256').update(sessionKey).digest('base64url');
}

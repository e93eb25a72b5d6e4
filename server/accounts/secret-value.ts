import { hash, randomBytes } from 'node:crypto';

/** A secret that its holder sees once: 256 random bits, so that a plain hash of it gives nothing away. */
export function newSecretValue(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url');
}

/**
 * What a secret is called where people read of it, such as in the audit log. It comes of the hash, so it is the same
 * everywhere and gives nothing of the secret away.
 */
export function secretId(kind: 'sec' | 'ses' | 'lnk', valueHash: string): string {
  return `${kind}_${valueHash.slice(0, 12)}`;
}

/** The only form in which a secret is kept. */
export function secretHash(value: string): string {
  return hash('sha256', value, 'hex');
}

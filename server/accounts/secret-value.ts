import { hash, randomBytes } from 'node:crypto';

/** A secret that is shown once. It has 256 random bits, so its hash needs no salt. */
export function newSecretValue(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url');
}

/**
 * The public id of a secret, for example in the audit log. It is derived from the hash, so it is the same everywhere
 * and reveals nothing of the secret.
 */
export function secretId(kind: 'sec' | 'ses' | 'lnk' | 'pky', valueHash: string): string {
  return `${kind}_${valueHash.slice(0, 12)}`;
}

/** The only form in which a secret is stored. */
export function secretHash(value: string): string {
  return hash('sha256', value, 'hex');
}

import { hash, randomBytes } from 'node:crypto';

/** A secret that its holder sees once: 256 random bits, so that a plain hash of it gives nothing away. */
export function newSecretValue(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** The only form in which a secret is kept. */
export function secretHash(value: string): string {
  return hash('sha256', value, 'hex');
}

import { hash } from 'node:crypto';
import type { StreamRule } from '../../src/wire/management/token.js';
import type { WhenFull } from '../../src/wire/management/session-limit.js';

/** What a token permits its bearer to do. */
export type TokenKind = 'publish' | 'subscribe';

/**
 * An address that a token was bound to by its use, as `bindingAddress` writes it: IPv4, or the /64 of an IPv6 address.
 */
export interface BoundIp {
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly boundOn: number;
}

/** A token as this server stores it. Records are frozen: a change creates a new record. */
export interface TokenRecord {
  readonly id: number;
  readonly accountId: string;
  readonly kind: TokenKind;
  /**
   * The secret value that its bearer presents: 64 hex digits. Empty if our key cannot open it: it then admits no one.
   */
  readonly token: string;
  readonly label: string;
  readonly streams: readonly Readonly<StreamRule>[];
  /** Publish tokens: whether viewers of the stream need a subscribe token. Always false on subscribe tokens. */
  readonly subscribeRequiresAuth: boolean;
  /** Publish tokens: whether what is published is recorded from the start. Always false on subscribe tokens. */
  readonly record: boolean;
  /** Publish tokens: after how many days a recording is deleted. Null: as the account has it, and on subscribe tokens. */
  readonly recordingRetentionDays: number | null;
  /** The pages that may use the token, as origin patterns in canonical form. Empty: every page. */
  readonly allowedOrigins: readonly string[];
  /** The addresses and CIDR ranges that may use the token, in canonical form. Empty: every address. */
  readonly allowedIpAddresses: readonly string[];
  /** The addresses and CIDR ranges that may not use the token, in canonical form. */
  readonly deniedIpAddresses: readonly string[];
  /** Countries that may use the token, as ISO 3166-1 codes. Empty: every country. */
  readonly allowedCountries: readonly string[];
  /** Countries that may not use the token. */
  readonly deniedCountries: readonly string[];
  /** How many addresses the token binds on first use. After that, only those may use it. 0: no binding. */
  readonly bindIpsOnUsage: number;
  /** The bound addresses, the oldest first. Empty if `bindIpsOnUsage` is 0. */
  readonly boundIps: readonly BoundIp[];
  /** Subscribe tokens: how many may watch with the token at once. 0: any number. */
  readonly maxSessions: number;
  /** Subscribe tokens: what happens to one more viewer. Without effect if `maxSessions` is 0. */
  readonly whenFull: WhenFull;
  readonly isActive: boolean;
  /** Milliseconds since 1970, as `expiresOn`. */
  readonly addedOn: number;
  /** Null: never. */
  readonly expiresOn: number | null;
  /** Grows with every change. Of two records of one token, the one with the greater revision is newer. */
  readonly revision: number;
  /** What is stored of it cannot be read. It admits nobody, and its owner can only delete it. */
  readonly unreadable?: true;
}

/** SHA-256 in hex: finds a token without storing its value. Token values are random, so the hash needs no salt. */
export function tokenHash(value: string): string {
  return hash('sha256', value, 'hex');
}

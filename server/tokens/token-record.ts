import type { StreamRule } from '../../src/wire/management/token.js';

/** What a token lets its bearer do. */
export type TokenKind = 'publish' | 'subscribe';

/** An address that a token was bound to by its use: IPv4, or the /64 of an IPv6 address, as `bindingAddress` writes it. */
export interface BoundIp {
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly boundOn: number;
}

/** A token as this server keeps it. Records are frozen: a change makes a new one. */
export interface TokenRecord {
  readonly id: number;
  readonly accountId: string;
  readonly kind: TokenKind;
  /** The secret value its bearer presents: 64 hex digits. Empty if our key does not open it; then it admits nobody. */
  readonly token: string;
  readonly label: string;
  readonly streams: readonly Readonly<StreamRule>[];
  /** Publish tokens: whether viewers of the stream need a subscribe token. Always false on subscribe tokens. */
  readonly subscribeRequiresAuth: boolean;
  /** Pages it may be used from, as patterns in canonical form. Empty: every page. */
  readonly allowedOrigins: readonly string[];
  /** Addresses and CIDR ranges it may be used from, written by hand, in canonical form. Empty: every address. */
  readonly allowedIpAddresses: readonly string[];
  /** How many addresses it binds by first use; then it may be used from those only. 0: off. */
  readonly bindIpsOnUsage: number;
  /** What was bound by use, the oldest first. Empty unless `bindIpsOnUsage` is on. */
  readonly boundIps: readonly BoundIp[];
  readonly isActive: boolean;
  /** Milliseconds since 1970, as is `expiresOn`. */
  readonly addedOn: number;
  /** Null: never. */
  readonly expiresOn: number | null;
  /** Grows with every change: of two records of one token, the greater is the present one. */
  readonly revision: number;
}

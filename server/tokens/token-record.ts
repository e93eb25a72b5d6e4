import type { StreamRule } from '../../src/wire/token.js';

/** What a token lets its bearer do. */
export type TokenKind = 'publish' | 'subscribe';

/** A token as this server keeps it. Records are frozen: a change makes a new one. */
export interface TokenRecord {
  readonly id: number;
  readonly accountId: string;
  readonly kind: TokenKind;
  /** The secret value its bearer presents: 64 hex digits. */
  readonly token: string;
  readonly label: string;
  readonly streams: readonly Readonly<StreamRule>[];
  /** Publish tokens: whether viewers of the stream need a subscribe token. Always false on subscribe tokens. */
  readonly subscribeRequiresAuth: boolean;
  readonly isActive: boolean;
  /** Milliseconds since 1970, as is `expiresOn`. */
  readonly addedOn: number;
  /** Null: never. */
  readonly expiresOn: number | null;
  /** Grows with every change: of two records of one token, the greater is the present one. */
  readonly revision: number;
}

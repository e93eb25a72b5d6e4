import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { TokenKind } from '../tokens/token-record.js';

/** Somebody was turned away at the door. */
export interface Refusal {
  /** What was asked for. */
  readonly kind: TokenKind;
  /** The token's; of an unknown token the one that the caller named, and empty where they named none. */
  readonly accountId: string;
  /** Null: no token was presented, or an unknown one. */
  readonly tokenId: number | null;
  readonly streamName: string;
  /** Undefined: the client named none. */
  readonly origin: string | undefined;
  /** Empty: it could not be told. */
  readonly address: string;
  readonly reason: RuleRefusalCode;
}

export interface TimedRefusal extends Refusal {
  /** Milliseconds since 1970. */
  readonly time: number;
}

export interface StoredRefusal extends TimedRefusal {
  readonly id: number;
  /** What the caller called the account, where that is no account of this server. */
  readonly namedAccount: string | undefined;
}

import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { TokenKind } from '../tokens/token-record.js';

/** An access attempt that was refused. */
export interface Refusal {
  /** Whether the caller asked to publish or to watch. */
  readonly kind: TokenKind;
  /** The account of the token. Without a known token, the account that the caller named; empty if they named none. */
  readonly accountId: string;
  /** Null: the caller presented no token, or an unknown one. */
  readonly tokenId: number | null;
  readonly streamName: string;
  /** Undefined: the client sent no origin. */
  readonly origin: string | undefined;
  /** Empty: unknown. */
  readonly address: string;
  readonly reason: RuleRefusalCode;
}

export interface TimedRefusal extends Refusal {
  /** Milliseconds since 1970. */
  readonly time: number;
}

export interface StoredRefusal extends TimedRefusal {
  readonly id: number;
  /** The account that the caller named, if this server has no such account. */
  readonly namedAccount: string | undefined;
}

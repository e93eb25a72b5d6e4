import type { SignedRestrictions } from '../tokens/compiled-token.js';
import type { TokenKind, TokenRecord } from '../tokens/token-record.js';
import type { Verdict } from './verdict.js';

/** Everything a rule may look at. Gathered once, before the first rule runs. */
export interface AccessRequest {
  /** What is asked for: to publish the stream or to watch it. */
  readonly kind: TokenKind;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly accountId: string;
  readonly streamName: string;
  /** Whether any token was presented, known or not. */
  readonly presented: boolean;
  /** The token presented, once looked up, with its stream names ready to match. */
  readonly token: CompiledToken | undefined;
  /** The page's origin, as its browser says it; undefined for a client that sends none. */
  readonly origin: string | undefined;
  /** The peer's address in canonical form, proxies unwound; empty where it cannot be told. */
  readonly address: string;
  /** What is true of this stream now. */
  readonly stream: {
    /** Media of a publisher flows. */
    readonly live: boolean;
    /** Somebody else publishes under this name, or is about to. */
    readonly taken: boolean;
    /** The live publisher's token asks viewers for one of their own. */
    readonly requiresToken: boolean;
  };
}

/** A token with its lists compiled, which is done when a token is saved or loaded and never while deciding. */
export interface CompiledToken extends TokenRecord {
  /** Tells this value of the token from those before and after a refresh, and gives none of it away. */
  readonly fingerprint: string;
  /** What the self-signed token restricts this one to that stands for it; null where none does. */
  readonly signed: SignedRestrictions | null;
  readonly permitsStream: (streamName: string) => boolean;
  /** Whether `allowedOrigins` has it. True for every origin, and none, where the list is empty. */
  readonly permitsOrigin: (origin: string | undefined) => boolean;
  /** Whether `allowedIpAddresses` has it. True for every address where the list is empty. */
  readonly permitsAddress: (address: string) => boolean;
  /** Whether `boundIps` has the place that the address counts as. */
  readonly isBoundTo: (address: string) => boolean;
}

export interface Rule {
  /** What it is called wherever somebody is told of it. Stable, and the name of its file. */
  readonly name: string;
  readonly decide: (request: AccessRequest) => Verdict;
  /** What it decides by, for whoever asks why: fit for JSON, short, and never the value of a token. */
  readonly looksAt: (request: AccessRequest) => Readonly<Record<string, unknown>>;
}

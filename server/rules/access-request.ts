import type { CompiledToken } from '../tokens/compiled-token.js';
import type { TokenKind } from '../tokens/token-record.js';

/** Everything that a rule may read. Gathered once, before the first rule runs. */
export interface AccessRequest {
  /** Whether the caller asks to publish the stream or to watch it. */
  readonly kind: TokenKind;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly accountId: string;
  readonly streamName: string;
  /** Whether the caller presented any token, known or not. */
  readonly presented: boolean;
  /** The presented token, if it is known. */
  readonly token: CompiledToken | undefined;
  /** The `Origin` header of the browser; undefined for a client that sends none. */
  readonly origin: string | undefined;
  /** The address of the client behind trusted proxies, in canonical form; empty if it is unknown. */
  readonly address: string;
  /** The present state of the stream. */
  readonly stream: {
    /** Media of a publisher flows. */
    readonly live: boolean;
    /** Another session publishes under this name, or is about to. */
    readonly taken: boolean;
    /** The token of a live publisher requires a subscribe token from viewers. */
    readonly requiresToken: boolean;
  };
}

import type { CompiledToken } from '../tokens/compiled-token.js';
import type { TokenKind } from '../tokens/token-record.js';

/** How many viewings of a token began before this one: all of them, if this one has not begun. */
export interface ViewingsAhead {
  /** With the token, and with the tokens that were signed with it. */
  readonly ofToken: number;
  /** With the presented self-signed token. 0 if it has no limit of its own. */
  readonly ofSigned: number;
}

/** What an account has for one more session. */
export interface AccountRoom {
  /** Null: no limit. */
  readonly maxSessions: number | null;
  /** Those that are open; 0 if there is no limit. */
  readonly sessions: number;
}

/** Everything that a rule may read. Gathered once, before the first rule runs. */
export interface AccessRequest {
  /** Whether the caller asks to publish the stream or to watch it. */
  readonly kind: TokenKind;
  /** `rtmp`: an encoder, which has no page. Undefined: any other protocol. */
  readonly via?: 'rtmp' | undefined;
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
  /**
   * The country of the address, as ISO 3166-1 code of two letters. Undefined: not known, or the token has no lists of
   * countries.
   */
  readonly country: string | undefined;
  /** Zero for publishers, and for viewers without a token. */
  readonly viewingsAhead: ViewingsAhead;
  /** For a new session. Of an open one, and of a viewer of a recording: no limit. */
  readonly account: AccountRoom;
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

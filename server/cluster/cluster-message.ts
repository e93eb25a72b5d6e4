import type { FailedAttempt } from '../accounts/failed-attempt-limiter.js';
import type { ViewingElsewhere } from '../admission/token-viewings.js';

/** A client that watches with a token on some node. */
export interface SharedViewing extends ViewingElsewhere {
  /** Unique on its node. */
  readonly id: number;
}

/** What nodes tell each other, beside what the database has. A message may be lost. */
export type ClusterMessage =
  /** The node begins to listen, or missed messages: every other node sends all its viewings and viewers. */
  | { readonly type: 'hello' }
  /** Replaces all viewings of the node. More may follow as `viewing`. */
  | { readonly type: 'viewings-reset' }
  | { readonly type: 'viewing'; readonly viewing: SharedViewing }
  | { readonly type: 'viewing-ended'; readonly id: number }
  /** How many viewers media of a stream reaches on the node. `viewers-reset` says none of any stream. */
  | { readonly type: 'viewers'; readonly streamId: string; readonly viewers: number }
  | { readonly type: 'viewers-reset' }
  /** The node is about to stop: its broadcasters and viewers come back on another. */
  | { readonly type: 'stopping' }
  /** A client at this address presented a wrong secret. */
  | ({ readonly type: 'failed-attempt' } & FailedAttempt)
  /** The account ends the sessions of a record, on whichever node they are. */
  | { readonly type: 'stop-session'; readonly streamId: string; readonly id: string }
  /** How many sessions an account that has a limit has on the node. Sent when it changes, and with each heartbeat. */
  | { readonly type: 'account-sessions'; readonly accountId: string; readonly sessions: number };

export interface ClusterMessageEvents {
  message: [nodeId: string, message: ClusterMessage];
}

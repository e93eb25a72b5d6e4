import type { SourceId } from '../media/engine/media-track.js';
import type { DeclaredEnd } from './declared-ends.js';
import type { StreamId } from './stream-id.js';

/** A source that another server has. */
export interface SourceElsewhere {
  readonly sourceId: SourceId;
  readonly sessionId: string;
  readonly tokenId: number;
  /** Milliseconds since 1970. Undefined: it is not live. */
  readonly liveSince: number | undefined;
  /** How soon the source of a lost publisher becomes free. Undefined: the publisher is connected. */
  readonly freeInMs: number | undefined;
  /** The media has stopped, and may come back. */
  readonly isInterrupted: boolean;
  /** Whether the client with this session key may resume the session. */
  isOf(sessionKey: string): boolean;
}

/** A stream that another server has. */
export interface StreamElsewhere {
  readonly streamId: StreamId;
  /** That server, and the epoch in which it has the stream: larger each time it comes back after it was lost. */
  readonly node: { readonly id: string; readonly epoch: number };
  /** The origin at which clients reach that server. Undefined: it has none of its own. */
  readonly url: string | undefined;
  readonly live: boolean;
  /** Milliseconds since 1970. Undefined: it is not live. */
  readonly liveSince: number | undefined;
  readonly publishers: readonly { readonly tokenId: number }[];
  readonly sources: readonly SourceElsewhere[];
}

/** The streams of the other servers on the same database, in memory. */
export interface StreamsElsewhere {
  find(streamId: StreamId): StreamElsewhere | undefined;
  ofAccount(accountId: string): readonly StreamElsewhere[];
  /**
   * Reads the stream from the database, if what is in memory may be stale.
   * @returns undefined, without a wait, if it is current
   * @throws {ApiError} 503 `database_unavailable`
   */
  refreshIfStale(streamId: StreamId): Promise<void> | undefined;
  /** How the last broadcast of a stream was meant to end, on any server. Absent: a server knows its own ends. */
  endOf?(streamId: StreamId): DeclaredEnd | undefined;
  /** Another server got, changed or lost the stream; or what is known of its end changed. */
  on(event: 'changed', listener: (streamId: StreamId) => void): unknown;
}

/** Of the only server of its database. */
export const NOTHING_ELSEWHERE: StreamsElsewhere = Object.freeze({
  find: () => undefined,
  ofAccount: () => [],
  refreshIfStale: () => undefined,
  on() {},
});

import type { SourceId } from '../media/engine/media-track.js';
import type { StreamId } from './stream-id.js';

/** A session that has a source of a stream. */
export interface LeaseHolder {
  readonly streamId: StreamId;
  readonly sourceId: SourceId;
  readonly sessionId: string;
}

export interface LeaseClaim extends LeaseHolder {
  readonly sessionKey: string;
  readonly tokenId: number;
}

export interface LeaseChange extends LeaseHolder {
  readonly isLive: boolean;
  /** The publisher was lost, and the source is kept for this long. Null: the publisher is connected. */
  readonly keptForMs: number | null;
  /** The media has stopped, and may come back. */
  readonly isInterrupted: boolean;
}

/**
 * - `held`: no other server has the source, nor will have it while this server keeps it
 * - `taken`: another server has the source
 * - `elsewhere`: another server has other sources of the stream, which are all on one server
 * - `unavailable`: the database did not answer, or has not answered for too long; or the source was released, or moved to
 *   another session, before the database was asked
 */
export type LeaseOutcome = 'held' | 'taken' | 'elsewhere' | 'unavailable';

/** Which server has a source, where several servers have one database. Within a server the `Stream` decides. */
export interface StreamLeases {
  /** Claims a source, or moves the lease that this server has to another session. Never rejects. */
  claim(claim: LeaseClaim): Promise<LeaseOutcome>;
  /** Tells the other servers. They learn it as soon as the database can be reached. */
  changed(change: LeaseChange): void;
  /**
   * Gives a claimed source back, or one that is being claimed. Nothing happens if another session has its lease now.
   * @param endsStream the publisher or the owner ended the broadcast with it, which the other servers are to know
   */
  release(holder: LeaseHolder, endsStream?: boolean): void;
  /**
   * Has the other servers stop the publishers of a stream, or of all streams of an account.
   * @returns how many there are
   * @throws {ApiError} 503 `database_unavailable`
   */
  requestStop(accountId: string, streamName?: string): Promise<number>;
}

/** Of the only server of its database. */
export const SOLE_SERVER_LEASES: StreamLeases = Object.freeze({
  claim: async () => 'held' as const,
  changed() {},
  release() {},
  requestStop: async () => 0,
});

import type { StoredSession } from './session-record.js';

export interface SessionQuery {
  readonly streamName: string;
  /** Only sessions that opened at this time or later, in milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Only sessions that opened before this time. */
  readonly to?: number | undefined;
  readonly tokenId?: number | undefined;
  readonly reason?: string | undefined;
  readonly state?: 'open' | 'ended' | undefined;
  /** Only sessions that follow this one in the list. */
  readonly after?: SessionPosition | undefined;
  readonly limit: number;
}

/** The position of a session in a list. */
export interface SessionPosition {
  readonly openedOn: number;
  readonly id: string;
}

/** Reads the sessions of one account. */
export interface SessionReader {
  /** The newest first; of several that opened in the same millisecond, the one with the greater id. */
  list(accountId: string, query: SessionQuery): Promise<readonly StoredSession[]>;
  find(accountId: string, streamName: string, id: string): Promise<StoredSession | undefined>;
}

/** Every implementation passes test/server/store/tables/session-store.contract.ts. */
export interface SessionStore extends SessionReader {
  /**
   * Stores all sessions, or none if it fails. A session that is stored already is replaced, so that a repeated write
   * changes nothing. Sessions of accounts that do not exist are left out.
   */
  save(sessions: readonly StoredSession[]): Promise<void>;
  /** Ends the open sessions that no server has written since `time`: their end is when they were last seen. */
  endLost(time: number): Promise<void>;
  /**
   * Deletes sessions that ended, or were last seen, before `time`.
   * @returns their number
   */
  prune(time: number, signal?: AbortSignal): Promise<number>;
}

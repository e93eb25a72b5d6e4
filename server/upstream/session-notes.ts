import type { UpstreamSession } from './upstream-client.js';

/** A session at an upstream that this server opened and has not ended. */
export interface NotedSession {
  /** Of the media session. */
  readonly id: string;
  readonly session: UpstreamSession;
}

/**
 * Keeps the sessions at upstreams in the database: what a server leaves behind when it dies, another server or the next
 * start ends. Their media does not pass through us, so that nothing else would.
 *
 * Every implementation passes test/server/store/tables/upstream-store.contract.ts.
 */
export interface SessionNotes {
  add(owner: string, note: NotedSession, now: number): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /**
   * Makes the sessions of every owner that is not in `alive` those of `owner`.
   * @param until only those that were added by this time, in milliseconds since 1970
   * @returns these sessions
   */
  takeOver(owner: string, alive: readonly string[], until: number): Promise<readonly NotedSession[]>;
}

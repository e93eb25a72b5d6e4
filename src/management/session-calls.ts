import {
  sessionDetail,
  sessionList,
  sessionStopped,
  type SessionBody,
  type SessionDetailBody,
  type SessionState,
} from '../wire/management/session.js';
import type { ManagementConnection } from './management-connection.js';

export interface SessionListOptions {
  /** ISO 8601 with a time zone: only sessions that opened at this time or later. */
  readonly from?: string | undefined;
  /** ISO 8601 with a time zone: only sessions that opened before this time. */
  readonly to?: string | undefined;
  readonly tokenId?: number | undefined;
  /** The code of the end, such as `left`. */
  readonly reason?: string | undefined;
  /** Only sessions that are open, or that have ended. */
  readonly state?: SessionState | undefined;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
  /** 1 to 100. Absent: 100. */
  readonly itemsOnPage?: number | undefined;
}

export interface SessionListPage {
  readonly sessions: readonly SessionBody[];
  /** The `cursor` of the next page. Null: this is the last page. */
  readonly next: string | null;
}

/** The calls for sessions: who watched and published, when, and what happened. Each throws {@link ManagementError}. */
export class SessionCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** The sessions of a stream of the account, the newest first. */
  async list(streamName: string, options: SessionListOptions = {}): Promise<SessionListPage> {
    const request = { method: 'GET', path: pathOf(streamName), query: { ...options } } as const;
    const { data, next } = await this.#connection.call(sessionList, request);
    return { sessions: data, next };
  }

  /** The same sessions as CSV: all pages as one table, with a header row. */
  async csv(streamName: string, options: SessionListOptions = {}): Promise<string> {
    return await this.#connection.csv({ path: pathOf(streamName), query: { ...options } });
  }

  /** One session with its timeline. @throws {ManagementError} `session_not_found` */
  async get(streamName: string, id: string): Promise<SessionDetailBody> {
    const request = { method: 'GET', path: `${pathOf(streamName)}/${encodeURIComponent(id)}` } as const;
    return (await this.#connection.call(sessionDetail, request)).data;
  }

  /**
   * Ends a session. Its token still permits another one: to keep somebody out, disable or refresh the token.
   *
   * @returns false if it had ended already
   * @throws {ManagementError} `session_not_found`
   */
  async stop(streamName: string, id: string): Promise<boolean> {
    const request = { method: 'POST', path: `${pathOf(streamName)}/${encodeURIComponent(id)}/stop` } as const;
    return (await this.#connection.call(sessionStopped, request)).data.stopped;
  }
}

function pathOf(streamName: string): string {
  return `/api/streams/${encodeURIComponent(streamName)}/sessions`;
}

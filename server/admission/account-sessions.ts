import { Emitter } from '../faults/emitter.js';
import type { AccountRoom } from '../rules/access-request.js';
import type { Grant } from './grant.js';

interface CountedSession {
  readonly grant: Pick<Grant, 'sessionId' | 'accountId'>;
}

export interface AccountSessionsOptions {
  /** Null: no limit. */
  readonly maxOf: (accountId: string) => number | null;
  /** The sessions of the account on other servers, as far as they are known. */
  readonly elsewhere: (accountId: string) => number;
}

export interface AccountSessionsEvents {
  /** The number of sessions of the account on this server is another one. */
  changed: [accountId: string];
}

/** Counts the open sessions of accounts. */
export class AccountSessions extends Emitter<AccountSessionsEvents> {
  readonly #options: AccountSessionsOptions;
  /** The account of each open session of this server. */
  readonly #accountOf = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(options: AccountSessionsOptions) {
    super('admission');
    this.#options = options;
  }

  /** Counts the sessions from now on. `ended` is emitted once for each that was `opened`. */
  follow(sessions: {
    on(event: 'opened' | 'leaving' | 'staying' | 'ended', listener: (session: CountedSession) => void): unknown;
  }): void {
    const came = ({ grant: { sessionId, accountId } }: CountedSession) => {
      this.#accountOf.set(sessionId, accountId);
      this.#count(accountId, 1);
    };
    sessions.on('opened', came);
    sessions.on('staying', came);
    const left = ({ grant: { sessionId, accountId } }: CountedSession) => {
      if (this.#accountOf.delete(sessionId)) this.#count(accountId, -1);
    };
    sessions.on('ended', left);
    // Its client is about to open one on another server, which must have room for it.
    sessions.on('leaving', left);
  }

  #count(accountId: string, change: 1 | -1): void {
    const sessions = this.here(accountId) + change;
    if (sessions > 0) this.#counts.set(accountId, sessions);
    else this.#counts.delete(accountId);
    this.emit('changed', accountId);
  }

  /** The open sessions of the account on this server. */
  here(accountId: string): number {
    return this.#counts.get(accountId) ?? 0;
  }

  /** On all servers. */
  total(accountId: string): number {
    return this.here(accountId) + this.#options.elsewhere(accountId);
  }

  /** What the account has for a new session. Those that the new one `replaces` do not count. */
  roomFor(accountId: string, replaces: readonly (string | null)[]): AccountRoom {
    const maxSessions = this.#options.maxOf(accountId);
    if (maxSessions === null) return { maxSessions, sessions: 0 };
    const replaced = replaces.filter((id) => id !== null && this.#accountOf.get(id) === accountId);
    return { maxSessions, sessions: this.total(accountId) - new Set(replaced).size };
  }
}

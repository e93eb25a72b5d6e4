import type { AccountSessions } from '../admission/account-sessions.js';
import { after } from '../faults/timers.js';
import type { ClusterMessage } from './cluster-message.js';

/** Sessions come and go by the hundred, and each message has the newest number. */
const PAUSE_MS = 100;

export interface SharedAccountSessionsOptions {
  readonly sessions: Pick<AccountSessions, 'here' | 'on'>;
  /** The accounts that have a limit. The sessions of all others are nobody's concern. */
  readonly limited: () => ReadonlySet<string>;
  readonly send: (message: ClusterMessage) => void;
}

/** Tells the other nodes how many sessions accounts with a limit have on this one: when that changes, and now and then. */
export class SharedAccountSessions {
  readonly #options: SharedAccountSessionsOptions;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SharedAccountSessionsOptions) {
    this.#options = options;
    options.sessions.on('changed', (accountId) => {
      if (!options.limited().has(accountId)) return;
      this.#changed.add(accountId);
      if (this.#timer === undefined) this.#timer = after('cluster', PAUSE_MS, () => this.#sendChanged()).unref();
    });
  }

  /** Messages may be lost, and nodes may be new: call it with each heartbeat. */
  sendAll(): void {
    for (const accountId of this.#options.limited()) this.#send(accountId);
  }

  #sendChanged(): void {
    this.#timer = undefined;
    for (const accountId of this.#changed) this.#send(accountId);
    this.#changed.clear();
  }

  #send(accountId: string): void {
    const { sessions, send } = this.#options;
    send({ type: 'account-sessions', accountId, sessions: sessions.here(accountId) });
  }
}

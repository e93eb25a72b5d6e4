import type { TokenChangeFeed, TokenChangeListener } from '../../tokens/token-follower.js';
import type { DatabaseMonitor } from '../availability/database-monitor.js';
import { PostgresNotifications } from './postgres-notifications.js';

/** Migration 0002 notifies this channel with the id of each token that is created, changed or deleted. */
const TOKEN_CHANNEL = 'streamgate_token';

/** Reports the tokens that any node changes. */
export class PostgresTokenChangeFeed implements TokenChangeFeed {
  readonly #notifications: PostgresNotifications;

  /** @param monitor learns when the connection is lost and when it is restored */
  constructor(databaseUrl: string, monitor?: DatabaseMonitor) {
    this.#notifications = new PostgresNotifications(databaseUrl, TOKEN_CHANNEL, monitor);
  }

  /** @throws {DatabaseError} */
  start(listener: TokenChangeListener): Promise<void> {
    return this.#notifications.start({
      received: (payload) => listener.changed(Number(payload)),
      restored: () => listener.anyChanged(),
      lost: () => listener.lost(),
    });
  }

  close(): Promise<void> {
    return this.#notifications.close();
  }
}

import { reportFault } from '../../faults/fault.js';
import type { TokenChangeFeed, TokenChangeListener } from '../../tokens/token-follower.js';
import { PostgresNotifications, type PostgresNotificationsOptions } from './postgres-notifications.js';

/** Migration 0002 notifies this channel with the id of each token that is created, changed or deleted. */
const TOKEN_CHANNEL = 'streamgate_token';

/** Reports the tokens that any node changes. */
export class PostgresTokenChangeFeed implements TokenChangeFeed {
  readonly #notifications: PostgresNotifications;

  constructor(options: Omit<PostgresNotificationsOptions, 'channel'>) {
    this.#notifications = new PostgresNotifications({ ...options, channel: TOKEN_CHANNEL });
  }

  /** @throws {DatabaseError} @throws {ApiError} @throws {NotificationsLostError} */
  start(listener: TokenChangeListener): Promise<void> {
    return this.#notifications.start({
      received(payload) {
        const tokenId = Number(payload);
        if (Number.isSafeInteger(tokenId) && tokenId > 0) listener.changed(tokenId);
        else reportFault('cluster_message', new Error('a notification of a token has no id of a token'));
      },
      restored: () => listener.anyChanged(),
      lost: () => listener.lost(),
    });
  }

  close(): Promise<void> {
    return this.#notifications.close();
  }
}

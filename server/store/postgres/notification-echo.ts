import { randomBytes } from 'node:crypto';
import { within } from './within.js';

/** How long a notification to this server may take once it is committed, in ms. On one machine it takes less than one. */
const ECHO_MS = 2_000;

/**
 * PostgreSQL accepts LISTEN, and its notifications do not arrive: a connection pooler gives each transaction a connection
 * of its own, and nobody hears what the connection that listens is told.
 */
export class NotificationsLostError extends Error {
  override name = 'NotificationsLostError';
  readonly code = 'notifications_lost';

  constructor() {
    super(
      'The database does not tell this server what changes: a connection pooler is between them, such as PgBouncer in transaction mode. Lead DATABASE_URL to PostgreSQL itself, or to a pooler in session mode',
    );
  }
}

/**
 * Shows that notifications arrive, by one to ourselves. The connection that listens must be idle meanwhile, and another
 * must send: PostgreSQL answers the sender of a notification with it, and then a pooler delivers it.
 */
export class NotificationEcho {
  /** To be listened to by the connection. Of its own: older servers could not read what is sent here. */
  readonly channel = `streamgate_echo_${randomBytes(8).toString('hex')}`;
  readonly #notify: (channel: string) => Promise<unknown>;
  #heard: () => void = () => {};

  /** @param notify sends an empty notification, over another connection */
  constructor(notify: (channel: string) => Promise<unknown>) {
    this.#notify = notify;
  }

  /** A notification on the channel arrived. */
  received(): void {
    this.#heard();
  }

  /**
   * @throws {NotificationsLostError} nothing is heard
   * @throws what `notify` throws: nothing is known then
   */
  async check(): Promise<void> {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    this.#heard = resolve;
    await this.#notify(this.channel);
    await within(ECHO_MS, heard).catch(() => Promise.reject(new NotificationsLostError()));
  }
}

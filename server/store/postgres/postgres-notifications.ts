import pg from 'pg';
import { contain } from '../../faults/contain.js';
import { after } from '../../faults/timers.js';
import { databaseFault, READ_ONLY } from '../availability/database-fault.js';
import type { DatabaseMonitor } from '../availability/database-monitor.js';
import { ApiError } from '../../errors.js';
import { DatabaseError } from '../database-errors.js';
import { NotificationEcho, NotificationsLostError } from './notification-echo.js';
import { CONNECT_TIMEOUT_MS, PostgresSockets } from './postgres-dialect.js';
import { within } from './within.js';

export interface NotificationListener {
  received(payload: string): void;
  /** Listens again. Notifications were missed. */
  restored(): void;
  /** Notifications may be missed until `restored`. */
  lost(): void;
}

/** How often the connection is tested, and how long an answer may take, in ms. */
const HEARTBEAT_MS = 5_000;
const ANSWER_MS = 2_000;

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;

export interface PostgresNotificationsOptions {
  readonly databaseUrl: string;
  readonly channel: string;
  /** Notifies a channel, with an empty text, over any other connection. */
  readonly notify: (channel: string) => Promise<unknown>;
  /** Learns when the connection is lost and when it is restored, and whether notifications arrive on it. */
  readonly monitor?: DatabaseMonitor | undefined;
}

/** Listens to a channel of PostgreSQL, on a connection of its own. Reconnects until it is closed. */
export class PostgresNotifications {
  readonly #databaseUrl: string;
  readonly #channel: string;
  readonly #notify: PostgresNotificationsOptions['notify'];
  readonly #monitor: DatabaseMonitor | undefined;
  readonly #sockets = new PostgresSockets();
  #client: pg.Client | undefined;
  #listener: NotificationListener | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #closed = false;

  constructor({ databaseUrl, channel, notify, monitor }: PostgresNotificationsOptions) {
    this.#databaseUrl = databaseUrl;
    this.#channel = channel;
    this.#notify = notify;
    this.#monitor = monitor;
  }

  /**
   * After it resolves, every notification is received, or `lost()` is called.
   * @throws {DatabaseError} @throws {ApiError} the database does not answer
   * @throws {NotificationsLostError} a connection pooler keeps them back
   */
  async start(listener: NotificationListener): Promise<void> {
    this.#listener = listener;
    try {
      await this.#connect();
    } catch (error) {
      throw error instanceof ApiError || error instanceof NotificationsLostError ? error : new DatabaseError(error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#sockets.destroySoon();
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      stream: () => this.#sockets.open(),
    });
    this.#client = client;
    const echo = new NotificationEcho(this.#notify);
    client.on(
      'notification',
      contain('storage', ({ channel, payload = '' }) => {
        if (channel === echo.channel) echo.received();
        else this.#listener?.received(payload);
      }),
    );
    try {
      // Without a listener a socket error would end the process. The awaited calls below reject with the same error.
      client.on('error', () => {});
      await client.connect();
      await requireWritable(client);
      await within(ANSWER_MS, client.query(`listen ${this.#channel}; listen ${echo.channel}`));
      await this.#checkEcho(client, echo);
    } catch (error) {
      abandon(client);
      throw error;
    }
    client
      .on(
        'error',
        contain('storage', (error) => this.#connectionLost(client, error)),
      )
      .on(
        'end',
        contain('storage', () => this.#connectionLost(client)),
      );
    this.#retryMs = FIRST_RETRY_MS;
    this.#scheduleHeartbeat(client, echo);
  }

  /**
   * A connection can die without any event, for example when a cable is unplugged. Or it leads to a primary that was
   * demoted: changes are made elsewhere. Or to a pooler, which answers and tells nothing.
   */
  #scheduleHeartbeat(client: pg.Client, echo: NotificationEcho): void {
    this.#timer = after('storage', HEARTBEAT_MS, () => {
      this.#beat(client, echo).then(
        () => client === this.#client && !this.#closed && this.#scheduleHeartbeat(client, echo),
        (error: unknown) => this.#connectionLost(client, error),
      );
    });
    this.#timer.unref();
  }

  async #beat(client: pg.Client, echo: NotificationEcho): Promise<void> {
    await requireWritable(client);
    await this.#checkEcho(client, echo).catch((error: unknown) => {
      // The notification could not be sent: that says nothing of this connection.
      if (!(error instanceof ApiError)) throw error;
    });
  }

  /** @throws {NotificationsLostError} @throws {ApiError} the notification could not be sent */
  async #checkEcho(client: pg.Client, echo: NotificationEcho): Promise<void> {
    try {
      await echo.check();
    } catch (error) {
      // Nothing is heard on a connection that ended meanwhile.
      if (error instanceof NotificationsLostError) await requireWritable(client);
      throw error;
    }
  }

  #connectionLost(client: pg.Client, cause: unknown = new Error('the database ended the connection')): void {
    if (client !== this.#client || this.#closed) return;
    this.#client = undefined;
    abandon(client);
    this.#report(cause);
    this.#listener?.lost();
    this.#scheduleReconnect();
  }

  #report(cause: unknown): void {
    if (cause instanceof NotificationsLostError) this.#monitor?.notificationsLost(this.#channel, cause);
    else this.#monitor?.failed(databaseFault(cause, { saves: false }));
  }

  #scheduleReconnect(): void {
    clearTimeout(this.#timer);
    this.#timer = after('storage', this.#retryMs, () => {
      this.#connect().then(
        () => this.#reconnected(),
        (error: unknown) => {
          if (error instanceof NotificationsLostError) this.#report(error);
          this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
          if (!this.#closed) this.#scheduleReconnect();
        },
      );
    });
    this.#timer.unref();
  }

  #reconnected(): void {
    if (this.#closed) {
      this.#sockets.destroySoon();
      if (this.#client) abandon(this.#client);
      return;
    }
    this.#monitor?.answered(false);
    this.#monitor?.notificationsArrive(this.#channel);
    this.#listener?.restored();
  }
}

/** @throws {pg.DatabaseError} nobody can change anything in this database, so that nothing is ever notified */
async function requireWritable(client: pg.Client): Promise<void> {
  const asked = client.query<{ transaction_read_only: string }>('show transaction_read_only');
  const { rows } = await within(ANSWER_MS, asked);
  if (rows[0]?.transaction_read_only !== 'on') return;
  throw Object.assign(new pg.DatabaseError('the database is read-only', 0, 'error'), { code: READ_ONLY });
}

function abandon(client: pg.Client): void {
  client.end().catch(() => undefined);
}

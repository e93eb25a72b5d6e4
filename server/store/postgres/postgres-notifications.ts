import pg from 'pg';
import { databaseFault, READ_ONLY } from '../availability/database-fault.js';
import type { DatabaseMonitor } from '../availability/database-monitor.js';
import { DatabaseError } from '../database-errors.js';
import { CONNECT_TIMEOUT_MS, PostgresSockets } from './postgres-dialect.js';

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

/** Listens to a channel of PostgreSQL, on a connection of its own. Reconnects until it is closed. */
export class PostgresNotifications {
  readonly #databaseUrl: string;
  readonly #channel: string;
  readonly #monitor: DatabaseMonitor | undefined;
  readonly #sockets = new PostgresSockets();
  #client: pg.Client | undefined;
  #listener: NotificationListener | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #closed = false;

  /** @param monitor learns when the connection is lost and when it is restored */
  constructor(databaseUrl: string, channel: string, monitor?: DatabaseMonitor) {
    this.#databaseUrl = databaseUrl;
    this.#channel = channel;
    this.#monitor = monitor;
  }

  /**
   * After it resolves, every notification is received, or `lost()` is called.
   * @throws {DatabaseError}
   */
  async start(listener: NotificationListener): Promise<void> {
    this.#listener = listener;
    try {
      await this.#connect();
    } catch (error) {
      throw new DatabaseError(error);
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
      query_timeout: ANSWER_MS,
      keepAlive: true,
      stream: () => this.#sockets.open(),
    });
    this.#client = client;
    client.on('notification', ({ payload = '' }) => this.#listener?.received(payload));
    try {
      // Without a listener a socket error would end the process. The awaited calls below reject with the same error.
      client.on('error', () => {});
      await client.connect();
      await requireWritable(client);
      await client.query(`listen ${this.#channel}`);
    } catch (error) {
      abandon(client);
      throw error;
    }
    client.on('error', (error) => this.#connectionLost(client, error)).on('end', () => this.#connectionLost(client));
    this.#retryMs = FIRST_RETRY_MS;
    this.#scheduleHeartbeat(client);
  }

  /**
   * A connection can die without any event, for example when a cable is unplugged. Or it leads to a primary that was
   * demoted: changes are made elsewhere.
   */
  #scheduleHeartbeat(client: pg.Client): void {
    this.#timer = setTimeout(() => {
      requireWritable(client).then(
        () => client === this.#client && !this.#closed && this.#scheduleHeartbeat(client),
        (error: unknown) => this.#connectionLost(client, error),
      );
    }, HEARTBEAT_MS);
    this.#timer.unref();
  }

  #connectionLost(client: pg.Client, cause: unknown = new Error('the database ended the connection')): void {
    if (client !== this.#client || this.#closed) return;
    this.#client = undefined;
    abandon(client);
    this.#monitor?.failed(databaseFault(cause, { saves: false }));
    this.#listener?.lost();
    this.#scheduleReconnect();
  }

  #scheduleReconnect(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#connect().then(
        () => this.#reconnected(),
        () => {
          this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
          if (!this.#closed) this.#scheduleReconnect();
        },
      );
    }, this.#retryMs);
    this.#timer.unref();
  }

  #reconnected(): void {
    if (this.#closed) {
      this.#sockets.destroySoon();
      if (this.#client) abandon(this.#client);
      return;
    }
    this.#monitor?.answered(false);
    this.#listener?.restored();
  }
}

/** @throws {pg.DatabaseError} nobody can change anything in this database, so that nothing is ever notified */
async function requireWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'on') return;
  throw Object.assign(new pg.DatabaseError('the database is read-only', 0, 'error'), { code: READ_ONLY });
}

function abandon(client: pg.Client): void {
  client.end().catch(() => undefined);
}

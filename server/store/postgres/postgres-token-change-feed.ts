import pg from 'pg';
import { DatabaseUnavailableError } from '../../errors.js';
import type { TokenChangeFeed, TokenChangeListener } from '../../tokens/token-change-feed.js';
import type { DatabaseMonitor } from '../availability/database-monitor.js';
import { CONNECT_TIMEOUT_MS, DatabaseError, PostgresSockets } from './postgres-dialect.js';
import { TOKEN_CHANNEL } from '../migrations/0002-token-restrictions.js';

/** How often the channel is asked whether it still lives, and how long it may take to say so, in ms. */
const HEARTBEAT_MS = 5_000;
const ANSWER_MS = 2_000;

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;

/** Hears on a connection of its own of every token that any node changes. A lost connection is made again, for ever. */
export class PostgresTokenChangeFeed implements TokenChangeFeed {
  readonly #databaseUrl: string;
  readonly #watch: DatabaseMonitor | undefined;
  readonly #sockets = new PostgresSockets();
  #client: pg.Client | undefined;
  #listener: TokenChangeListener | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #closed = false;

  /** @param watch is told when the connection is lost, and when there is one again */
  constructor(databaseUrl: string, watch?: DatabaseMonitor) {
    this.#databaseUrl = databaseUrl;
    this.#watch = watch;
  }

  /** @throws {DatabaseError} */
  async start(listener: TokenChangeListener): Promise<void> {
    this.#listener = listener;
    try {
      await this.#listen();
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

  async #listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      stream: () => this.#sockets.open(),
    });
    this.#client = client;
    client.on('notification', ({ payload }) => this.#listener?.changed(Number(payload)));
    try {
      // Without a listener an error of the socket would end the process. Whoever waits is told by his own promise.
      client.on('error', () => {});
      await client.connect();
      await client.query(`listen ${TOKEN_CHANNEL}`);
    } catch (error) {
      abandon(client);
      throw error;
    }
    client.on('error', (error) => this.#lost(client, error)).on('end', () => this.#lost(client));
    this.#retryMs = FIRST_RETRY_MS;
    this.#beat(client);
  }

  /** A connection can die without a sign, as when a cable is pulled. */
  #beat(client: pg.Client): void {
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => client === this.#client && !this.#closed && this.#beat(client),
        (error: unknown) => this.#lost(client, error),
      );
    }, HEARTBEAT_MS);
    this.#timer.unref();
  }

  #lost(client: pg.Client, cause: unknown = new Error('the database ended the connection')): void {
    if (client !== this.#client || this.#closed) return;
    this.#client = undefined;
    abandon(client);
    this.#watch?.failed(new DatabaseUnavailableError({ cause }));
    this.#listener?.lost();
    this.#retry();
  }

  #retry(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#listen().then(
        () => this.#found(),
        () => {
          this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
          if (!this.#closed) this.#retry();
        },
      );
    }, this.#retryMs);
    this.#timer.unref();
  }

  #found(): void {
    if (this.#closed) {
      this.#sockets.destroySoon();
      if (this.#client) abandon(this.#client);
      return;
    }
    this.#watch?.answered(false);
    this.#listener?.anyChanged();
  }
}

function abandon(client: pg.Client): void {
  client.end().catch(() => undefined);
}

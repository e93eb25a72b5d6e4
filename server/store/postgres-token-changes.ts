import pg from 'pg';
import type { TokenChanges, TokenChangesListener } from '../tokens/token-changes.js';
import { CONNECT_TIMEOUT_MS, DatabaseError } from './postgres.js';
import { TOKEN_CHANNEL } from './restrict-tokens.js';

/** How often the channel is asked whether it still lives, and how long it may take to say so, in ms. */
const HEARTBEAT_MS = 5_000;
const ANSWER_MS = 2_000;

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;

/** Hears on a connection of its own of every token that any node changes. A lost connection is made again, for ever. */
export class PostgresTokenChanges implements TokenChanges {
  readonly #databaseUrl: string;
  #client: pg.Client | undefined;
  #listener: TokenChangesListener | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #closed = false;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  /** @throws {DatabaseError} */
  async start(listener: TokenChangesListener): Promise<void> {
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
    await this.#client?.end();
  }

  async #listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
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
    const lost = () => this.#lost(client);
    client.on('error', lost).on('end', lost);
    this.#retryMs = FIRST_RETRY_MS;
    this.#beat(client);
  }

  /** A connection can die without a sign, as when a cable is pulled. */
  #beat(client: pg.Client): void {
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => client === this.#client && !this.#closed && this.#beat(client),
        () => this.#lost(client),
      );
    }, HEARTBEAT_MS);
    this.#timer.unref();
  }

  #lost(client: pg.Client): void {
    if (client !== this.#client || this.#closed) return;
    this.#client = undefined;
    abandon(client);
    this.#listener?.lost();
    this.#retry();
  }

  #retry(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#listen().then(
        () => (this.#closed ? this.#client?.end() : this.#listener?.anyChanged()),
        () => {
          this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
          if (!this.#closed) this.#retry();
        },
      );
    }, this.#retryMs);
    this.#timer.unref();
  }
}

function abandon(client: pg.Client): void {
  client.end().catch(() => undefined);
}

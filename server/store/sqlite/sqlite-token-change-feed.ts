import { sql } from 'kysely';
import { every } from '../../faults/timers.js';
import type { TokenChangeFeed, TokenChangeListener } from '../../tokens/token-follower.js';
import type { Database } from '../schema.js';

/** How often to poll, in ms. A poll reads one number from memory that SQLite shares between processes. */
const INTERVAL_MS = 200;

/** Detects that another process, such as the CLI, has written to the file. It cannot tell which tokens changed. */
export class SqliteTokenChangeFeed implements TokenChangeFeed {
  readonly #db: Database;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();

  constructor(db: Database) {
    this.#db = db;
  }

  async start({ anyChanged }: Pick<TokenChangeListener, 'anyChanged'>): Promise<void> {
    let known = await this.#version();
    const poll = async () => {
      const version = await this.#version();
      if (version === known) return;
      known = version;
      anyChanged();
    };
    let busy = false;
    this.#timer = every('storage', INTERVAL_MS, () => {
      if (busy) return;
      busy = true;
      // A database that fails here fails for every request too, and those report it.
      this.#polling = poll()
        .catch(() => undefined)
        .finally(() => (busy = false));
    });
    this.#timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#polling;
  }

  /** Changes when a connection other than this one commits. */
  async #version(): Promise<number | undefined> {
    const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(this.#db);
    return rows[0]?.data_version;
  }
}

import { sql } from 'kysely';
import type { TokenChangeFeed, TokenChangeListener } from '../../tokens/token-change-feed.js';
import type { Database } from '../database.js';

/** How often to look, in ms. A look reads one number from memory that SQLite shares between processes. */
const INTERVAL_MS = 200;

/** Sees that another process has written to the file, the command line for one; which tokens it does not see. */
export class SqliteTokenChangeFeed implements TokenChangeFeed {
  readonly #db: Database;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(db: Database) {
    this.#db = db;
  }

  async start({ anyChanged }: Pick<TokenChangeListener, 'anyChanged'>): Promise<void> {
    let known = await this.#version();
    const look = async () => {
      const version = await this.#version();
      if (version === known) return;
      known = version;
      anyChanged();
    };
    let busy = false;
    this.#timer = setInterval(() => {
      if (busy) return;
      busy = true;
      // What goes wrong here goes wrong for every request too, and is told there.
      this.#looking = look()
        .catch(() => undefined)
        .finally(() => (busy = false));
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  /** Differs from before when a connection that is not this one has committed. */
  async #version(): Promise<number | undefined> {
    const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(this.#db);
    return rows[0]?.data_version;
  }
}

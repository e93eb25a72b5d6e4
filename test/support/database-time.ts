import pg from 'pg';
import type { Cleanup } from './cleanup.js';

/**
 * The time of a database of PostgreSQL, which stands still unless a test has it pass: on a slow machine no lease expires.
 * It counts for connections that are opened afterwards.
 */
export class DatabaseTime {
  readonly #client: pg.Client;
  /** Milliseconds since 1970. */
  #now = Date.parse('2026-11-20T19:00:00Z');

  static async open(cleanup: Cleanup, databaseUrl: string): Promise<DatabaseTime> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    cleanup.after(() => client.end());
    // Functions are looked for in `pg_catalog` first, unless it is named at another place.
    await client.query(
      `create schema test;
      create table test.clock (now timestamptz not null);
      insert into test.clock values (now());
      create function test.clock_timestamp() returns timestamptz language sql as 'select now from test.clock';
      alter database ${new URL(databaseUrl).pathname.slice(1)} set search_path = test, pg_catalog, public`,
    );
    const time = new DatabaseTime(client);
    await time.pass(0);
    return time;
  }

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  get now(): number {
    return this.#now;
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    await this.#client.query('update test.clock set now = to_timestamp($1::float8 / 1000)', [this.#now]);
  }
}

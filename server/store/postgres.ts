import { PostgresDialect } from 'kysely';
import pg from 'pg';

/** How long to wait for a connection, in ms. */
export const CONNECT_TIMEOUT_MS = 5_000;

const POOL_SIZE = 10;

/** The database that DATABASE_URL names cannot be used. The message says why, and never what the URL holds. */
export class DatabaseError extends Error {
  override name = 'DatabaseError';

  constructor(cause: unknown) {
    const why = cause instanceof Error ? cause.message || ('code' in cause && String(cause.code)) : String(cause);
    super(`the database of DATABASE_URL cannot be used: ${why}`, { cause });
  }
}

/** 64-bit integers as numbers: ids, counters and milliseconds stay far below 2^53. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  return type === pg.types.builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(type, format);
}

export function postgresDialect(databaseUrl: string): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser } as pg.CustomTypesConfig,
  });
  // A connection that dies between two statements would end the process. Who uses it is told by his next statement,
  // and for those that nobody uses the pool makes others when they are needed.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  return new PostgresDialect({ pool });
}

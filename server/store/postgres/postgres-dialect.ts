import { Socket } from 'node:net';
import {
  PostgresDialect,
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';

/** How long a start waits for a connection, in ms. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** How long a call waits for a connection, in ms: for a free one, or for a new one. */
export const WAIT_MS = 2_000;
/** How long a call waits for the answer to a statement, in ms. A call makes its statements one after the other. */
export const ANSWER_MS = 3_000;
/** When PostgreSQL gives up itself, in ms: before the caller does, so that the connection can be used again. */
const STATEMENT_MS = 2_500;
const LOCK_MS = 2_000;
/** How long a transaction may stand still before its locks are taken from it, in ms. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** How long a migration may take, in ms. */
const MIGRATION_MS = 3_600_000;

const POOL_SIZE = 10;

/** The database that DATABASE_URL names cannot be used. The message says why, and never what the URL holds. */
export class DatabaseError extends Error {
  override name = 'DatabaseError';

  constructor(cause: unknown) {
    const why = cause instanceof Error ? cause.message || ('code' in cause && String(cause.code)) : String(cause);
    super(`the database of DATABASE_URL cannot be used: ${why}`, { cause });
  }
}

/** How long PostgreSQL may take to say goodbye, in ms. */
const GOODBYE_MS = 1_000;

/** The sockets of some connections, to be able to end those that the other side does not answer on. */
export class PostgresSockets {
  readonly #open = new Set<Socket>();

  /** Not connected yet. */
  open(): Socket {
    const socket = new Socket();
    this.#open.add(socket);
    return socket.once('close', () => this.#open.delete(socket));
  }

  /** Every connection was told to end: those that have not by then are cut. */
  destroySoon(): void {
    setTimeout(() => {
      for (const socket of this.#open) socket.destroy();
    }, GOODBYE_MS).unref();
  }
}

/** 64-bit integers as numbers: ids, counters and milliseconds stay far below 2^53. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  return type === pg.types.builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(type, format);
}

/** @param isPatient for the start: waits longer for a connection, and as long as a migration takes */
export function postgresDialect(databaseUrl: string, { isPatient = false } = {}): PostgresDialect {
  const sockets = new PostgresSockets();
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    connectionTimeoutMillis: isPatient ? CONNECT_TIMEOUT_MS : WAIT_MS,
    query_timeout: isPatient ? MIGRATION_MS : ANSWER_MS,
    keepAlive: true,
    types: { getTypeParser } as pg.CustomTypesConfig,
    stream: () => sockets.open(),
    // By statement and not at the connection's start: poolers refuse what they do not know there.
    ...(!isPatient && { onConnect: limitStatements }),
  });
  // A connection that dies between two statements would end the process. Who uses it is told by his next statement,
  // and for those that nobody uses the pool makes others when they are needed.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  return new PostgresDialect({ pool: new DiscardingPool(pool, sockets) });
}

async function limitStatements(client: pg.ClientBase): Promise<void> {
  await client.query(
    `set statement_timeout = ${STATEMENT_MS}; set lock_timeout = ${LOCK_MS}; ` +
      `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
  );
}

/** Hands out the connections of a pool, and gives back none that may still have an answer on its way. */
class DiscardingPool implements PostgresPool {
  readonly #pool: pg.Pool;
  readonly #sockets: PostgresSockets;
  readonly #clients = new WeakMap<pg.PoolClient, DiscardingClient>();

  constructor(pool: pg.Pool, sockets: PostgresSockets) {
    this.#pool = pool;
    this.#sockets = sockets;
  }

  get options(): object {
    return this.#pool.options;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect();
    const known = this.#clients.get(client) ?? new DiscardingClient(client);
    this.#clients.set(client, known);
    return known;
  }

  async end(): Promise<void> {
    await this.#pool.end();
    this.#sockets.destroySoon();
  }
}

class DiscardingClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient;
  #fault: Error | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  query<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    statement: string | PostgresCursor<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof statement === 'string') return this.#ask<Row>(statement, parameters);
    throw new TypeError('this server reads no cursors');
  }

  async #ask<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    // Behind a statement that was not answered, no other is.
    if (this.#fault) throw this.#fault;
    try {
      const result = await this.#client.query<Row & pg.QueryResultRow>(sql, [...parameters]);
      const { command, rowCount, rows } = result;
      return { command: command as PostgresQueryResult<Row>['command'], rowCount: rowCount ?? 0, rows };
    } catch (error) {
      if (error instanceof Error && !(error instanceof pg.DatabaseError)) this.#fault = error;
      throw error;
    }
  }

  release(): void {
    this.#client.release(this.#fault);
  }
}

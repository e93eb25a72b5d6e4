import { Socket } from 'node:net';
import {
  PostgresDialect,
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';
import { contain } from '../../faults/contain.js';
import { within } from './within.js';

/** How long the start of the server waits for a connection, in ms. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** How long a call waits for a free or a new connection, in ms. */
export const WAIT_MS = 2_000;
/** How long a call waits for the answer to one statement, in ms. A call executes its statements one after the other. */
export const ANSWER_MS = 5_000;
/**
 * When PostgreSQL cancels a statement itself, in ms. That is before the caller gives up, so the connection stays
 * usable. It is after a pause of two seconds, as when a virtual machine is moved to another host.
 */
const STATEMENT_MS = 4_500;
const LOCK_MS = 4_000;
/** How long a transaction may be idle before PostgreSQL ends it and releases its locks, in ms. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** How long a migration may take, in ms. */
const MIGRATION_MS = 3_600_000;

/** How long a pool waits for connections and answers, and how many connections it has. */
export interface PoolLimits {
  readonly size: number;
  readonly connectMs: number;
  readonly answerMs: number;
  /** PostgreSQL cancels statements, waits for locks and transactions that take too long. */
  readonly limitsStatements: boolean;
}

export const CALLS: PoolLimits = { size: 10, connectMs: WAIT_MS, answerMs: ANSWER_MS, limitsStatements: true };
/** A migration may take long. */
export const MIGRATIONS: PoolLimits = {
  size: 10,
  connectMs: CONNECT_TIMEOUT_MS,
  answerMs: MIGRATION_MS,
  limitsStatements: false,
};
/** Two attempts fit into the time after which a node without a heartbeat stops its publishers. */
export const HEARTBEATS: PoolLimits = { size: 2, connectMs: 1_000, answerMs: 1_500, limitsStatements: true };

/**
 * What the library may wait for a connection beside our own limit, in ms: it takes a pause of this process for one of
 * PostgreSQL.
 */
const PAUSE_MS = 2_500;

/** How long PostgreSQL may take to end a connection, in ms. */
const CLOSE_TIMEOUT_MS = 1_000;

/** The sockets of a set of connections. Cuts those on which PostgreSQL does not answer the end of the connection. */
export class PostgresSockets {
  readonly #open = new Set<Socket>();

  /** @returns a socket that is not connected yet */
  open(): Socket {
    const socket = new Socket();
    this.#open.add(socket);
    return socket.once('close', () => this.#open.delete(socket));
  }

  /** Call this when every connection was asked to end. Destroys the sockets that are still open after the timeout. */
  destroySoon(): void {
    setTimeout(() => {
      for (const socket of this.#open) socket.destroy();
    }, CLOSE_TIMEOUT_MS).unref();
  }
}

/** Reads 64-bit integers as numbers. Ids, counters and milliseconds stay far below 2^53. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  return type === pg.types.builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(type, format);
}

/** @param onOutdated gets a function that has every open connection replaced before it is used again */
export function postgresDialect(
  databaseUrl: string,
  limits: PoolLimits,
  onOutdated: (replaceConnections: () => void) => void = () => {},
): PostgresDialect {
  const sockets = new PostgresSockets();
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: limits.size,
    connectionTimeoutMillis: limits.connectMs + PAUSE_MS,
    keepAlive: true,
    types: { getTypeParser } as pg.CustomTypesConfig,
    stream: () => sockets.open(),
    // Set by a statement: connection poolers refuse unknown options at the start of a connection.
    ...(limits.limitsStatements && {
      onConnect: (client: pg.ClientBase) => within(limits.answerMs, limitStatements(client)),
    }),
  });
  // Without listeners, a connection that dies between two statements would end the process. A caller that uses the
  // connection gets the error from its next statement. The pool replaces idle connections when they are needed.
  pool
    .on('error', () => {})
    .on(
      'connect',
      contain('storage', (client) => client.on('error', () => {})),
    );
  const discarding = new DiscardingPool(pool, sockets, limits);
  onOutdated(() => discarding.replaceConnections());
  return new PostgresDialect({ pool: discarding });
}

async function limitStatements(client: pg.ClientBase): Promise<void> {
  await client.query(
    `set statement_timeout = ${STATEMENT_MS}; set lock_timeout = ${LOCK_MS}; ` +
      `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
  );
}

/**
 * A pool that discards a connection after a statement without an answer, which may still be on its way, and connections
 * that are outdated. Its end waits for the callers that have a connection, and not for a PostgreSQL that does not answer.
 */
class DiscardingPool implements PostgresPool {
  readonly #pool: pg.Pool;
  readonly #sockets: PostgresSockets;
  readonly #limits: PoolLimits;
  readonly #clients = new WeakMap<pg.PoolClient, DiscardingClient>();
  /** Connections of an earlier generation are outdated. */
  #generation = 0;
  /** How many callers have a connection, or wait for one. */
  #callers = 0;
  #isEnding = false;

  constructor(pool: pg.Pool, sockets: PostgresSockets, limits: PoolLimits) {
    this.#pool = pool;
    this.#sockets = sockets;
    this.#limits = limits;
  }

  get options(): object {
    return this.#pool.options;
  }

  async connect(): Promise<PostgresPoolClient> {
    this.#callers += 1;
    try {
      return await this.#currentClient();
    } catch (error) {
      this.#callerLeft();
      throw error;
    }
  }

  async #currentClient(): Promise<DiscardingClient> {
    for (;;) {
      const { connectMs, answerMs } = this.#limits;
      const client = await within(connectMs, this.#pool.connect(), (late) => late.release());
      const known =
        this.#clients.get(client) ??
        new DiscardingClient(client, { generation: this.#generation, answerMs, onReleased: () => this.#callerLeft() });
      this.#clients.set(client, known);
      if (known.generation === this.#generation) return known;
      client.release(true);
    }
  }

  #callerLeft(): void {
    this.#callers -= 1;
    this.#destroyUnused();
  }

  #destroyUnused(): void {
    if (this.#isEnding && this.#callers === 0) this.#sockets.destroySoon();
  }

  replaceConnections(): void {
    this.#generation += 1;
  }

  async end(): Promise<void> {
    const ended = this.#pool.end();
    this.#isEnding = true;
    this.#destroyUnused();
    await ended;
  }
}

interface ClientOptions {
  readonly generation: number;
  readonly answerMs: number;
  readonly onReleased: () => void;
}

class DiscardingClient implements PostgresPoolClient {
  readonly generation: number;
  readonly #client: pg.PoolClient;
  readonly #answerMs: number;
  readonly #onReleased: () => void;
  #fault: Error | undefined;

  constructor(client: pg.PoolClient, { generation, answerMs, onReleased }: ClientOptions) {
    this.generation = generation;
    this.#client = client;
    this.#answerMs = answerMs;
    this.#onReleased = onReleased;
  }

  query<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    statement: string | PostgresCursor<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof statement === 'string') return this.#execute<Row>(statement, parameters);
    throw new TypeError('cursors are not supported');
  }

  async #execute<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    // After a statement without an answer, the connection answers no other statement.
    if (this.#fault) throw this.#fault;
    try {
      const asked = this.#client.query<Row & pg.QueryResultRow>(sql, [...parameters]);
      const result = await within(this.#answerMs, asked);
      const { command, rowCount, rows } = result;
      return { command: command as PostgresQueryResult<Row>['command'], rowCount: rowCount ?? 0, rows };
    } catch (error) {
      if (error instanceof Error && !(error instanceof pg.DatabaseError)) this.#fault = error;
      throw error;
    }
  }

  release(): void {
    this.#client.release(this.#fault);
    this.#onReleased();
  }
}

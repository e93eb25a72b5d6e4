import {
  DeleteQueryNode,
  InsertQueryNode,
  UpdateQueryNode,
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { databaseFault, type FailedStatement } from './database-fault.js';

/** Observes every statement, and may refuse a write before it is executed. */
export interface StatementGuard extends Pick<FailedStatement, 'isDiskFull'> {
  /** @throws {DiskFullError} */
  beforeWrite(): void;
  /** A statement succeeded. @param saved whether it committed a change to disk */
  answered(saved: boolean): void;
  /** A statement failed. @param error the translated error, as the caller gets it */
  failed(error: unknown): void;
}

/** Wraps a dialect: translates the errors of its driver (database-fault.ts) and reports every outcome to `guard`. */
export class GuardedDialect implements Dialect {
  readonly #dialect: Dialect;
  readonly #guard: StatementGuard;

  constructor(dialect: Dialect, guard: StatementGuard) {
    this.#dialect = dialect;
    this.#guard = guard;
  }

  createDriver(): Driver {
    return new GuardedDriver(this.#dialect.createDriver(), this.#guard);
  }

  createQueryCompiler(): QueryCompiler {
    return this.#dialect.createQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return this.#dialect.createAdapter();
  }

  createIntrospector(db: Parameters<Dialect['createIntrospector']>[0]): DatabaseIntrospector {
    return this.#dialect.createIntrospector(db);
  }
}

class GuardedDriver implements Driver {
  readonly #driver: Driver;
  readonly #guard: StatementGuard;
  readonly #connections = new WeakMap<DatabaseConnection, GuardedConnection>();

  constructor(driver: Driver, guard: StatementGuard) {
    this.#driver = driver;
    this.#guard = guard;
  }

  async init(): Promise<void> {
    await this.#driver.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    // Getting an idle connection does not show that the database works. Only an answered statement does.
    const connection = await translated(this.#guard, false, () => this.#driver.acquireConnection());
    const known = this.#connections.get(connection) ?? new GuardedConnection(connection, this.#guard);
    this.#connections.set(connection, known);
    return known;
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const own = ownOf(connection);
    await guarded(this.#guard, false, () => this.#driver.beginTransaction(own.inner, settings));
    own.transaction = { wrote: false };
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const own = ownOf(connection);
    const wrote = own.transaction?.wrote ?? false;
    await guarded(this.#guard, wrote, () => this.#driver.commitTransaction(own.inner));
    own.transaction = undefined;
  }

  /**
   * Never throws, so that the caller gets the error that failed the transaction. A database without disk space has
   * rolled back by itself, and a lost connection ends its transaction.
   */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const own = ownOf(connection);
    own.transaction = undefined;
    await this.#driver.rollbackTransaction(own.inner).catch(() => undefined);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await this.#driver.releaseConnection(ownOf(connection).inner);
  }

  async destroy(): Promise<void> {
    await this.#driver.destroy();
  }
}

class GuardedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  /** Undefined outside a transaction: each statement commits by itself. */
  transaction: { wrote: boolean } | undefined;
  readonly #guard: StatementGuard;

  constructor(inner: DatabaseConnection, guard: StatementGuard) {
    this.inner = inner;
    this.#guard = guard;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const writes = isWrite(query);
    if (writes) this.#guard.beforeWrite();
    if (writes && this.transaction) this.transaction.wrote = true;
    return await guarded(this.#guard, writes && !this.transaction, () => this.inner.executeQuery<Row>(query));
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.inner.streamQuery<Row>(query, chunkSize);
  }
}

async function guarded<Result>(guard: StatementGuard, saves: boolean, act: () => Promise<Result>): Promise<Result> {
  const result = await translated(guard, saves, act);
  guard.answered(saves);
  return result;
}

async function translated<Result>(guard: StatementGuard, saves: boolean, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (thrown) {
    const error = databaseFault(thrown, { saves, isDiskFull: guard.isDiskFull });
    guard.failed(error);
    throw error;
  }
}

function ownOf(connection: DatabaseConnection): GuardedConnection {
  if (connection instanceof GuardedConnection) return connection;
  throw new Error('this connection belongs to another driver');
}

function isWrite({ query }: CompiledQuery): boolean {
  return InsertQueryNode.is(query) || UpdateQueryNode.is(query) || DeleteQueryNode.is(query);
}

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
import { monotonicNow } from '../../monotonic-now.js';
import { databaseFault, type FailedStatement } from './database-fault.js';

/** What takes time: a connection becomes free or is opened, a transaction begins or commits, or a statement of this kind. */
export type DatabaseStep = 'connection' | 'begin' | 'select' | 'insert' | 'update' | 'delete' | 'other' | 'commit';

/** The connections to the database: how many are used, and how many callers wait for one. */
export interface ConnectionCounts {
  used: number;
  waiting: number;
}

/** Observes every statement, and may refuse a write before it is executed. */
export interface StatementGuard extends Pick<FailedStatement, 'isDiskFull'> {
  /** Kept up to date by the dialects that this guard observes. */
  readonly connections: ConnectionCounts;
  /** A step ended, well or not. */
  took(step: DatabaseStep, ms: number): void;
  /** @throws {DiskFullError} */
  beforeWrite(): void;
  /** A statement begins. @returns what its outcome is reported with */
  begins(): number;
  /** A statement succeeded. @param saved whether it committed a change to disk */
  answered(saved: boolean, begun: number): void;
  /** A statement failed. @param error the translated error, as the caller gets it */
  failed(error: unknown, begun: number): void;
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
    const { connections } = this.#guard;
    connections.waiting += 1;
    // Getting an idle connection does not show that the database works. Only an answered statement does.
    const connection = await translated(this.#guard, 'connection', false, () =>
      this.#driver.acquireConnection(),
    ).finally(() => (connections.waiting -= 1));
    connections.used += 1;
    const known = this.#connections.get(connection) ?? new GuardedConnection(connection, this.#guard);
    this.#connections.set(connection, known);
    return known;
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const own = ownOf(connection);
    await guarded(this.#guard, 'begin', false, () => this.#driver.beginTransaction(own.inner, settings));
    own.transaction = { wrote: false };
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const own = ownOf(connection);
    const wrote = own.transaction?.wrote ?? false;
    await guarded(this.#guard, 'commit', wrote, () => this.#driver.commitTransaction(own.inner));
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
    this.#guard.connections.used -= 1;
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
    const saves = writes && !this.transaction;
    return await guarded(this.#guard, stepOf(query), saves, () => this.inner.executeQuery<Row>(query));
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.inner.streamQuery<Row>(query, chunkSize);
  }
}

async function guarded<Result>(
  guard: StatementGuard,
  step: DatabaseStep,
  saves: boolean,
  act: () => Promise<Result>,
): Promise<Result> {
  const begun = guard.begins();
  const result = await translated(guard, step, saves, act);
  guard.answered(saves, begun);
  return result;
}

async function translated<Result>(
  guard: StatementGuard,
  step: DatabaseStep,
  saves: boolean,
  act: () => Promise<Result>,
): Promise<Result> {
  const [began, begun] = [monotonicNow(), guard.begins()];
  try {
    return await act();
  } catch (thrown) {
    const error = databaseFault(thrown, { saves, isDiskFull: guard.isDiskFull });
    guard.failed(error, begun);
    throw error;
  } finally {
    guard.took(step, monotonicNow() - began);
  }
}

function ownOf(connection: DatabaseConnection): GuardedConnection {
  if (connection instanceof GuardedConnection) return connection;
  throw new Error('this connection belongs to another driver');
}

/** Statements that are written in SQL are of no known kind. */
const STEPS: Readonly<Record<string, DatabaseStep>> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
};

function stepOf({ query }: CompiledQuery): DatabaseStep {
  return STEPS[query.kind] ?? 'other';
}

function isWrite({ query }: CompiledQuery): boolean {
  return InsertQueryNode.is(query) || UpdateQueryNode.is(query) || DeleteQueryNode.is(query);
}

import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryExecutor,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely';
import { Emitter } from '../../faults/emitter.js';

interface RowName {
  readonly table: string;
  /** The primary key. */
  readonly row: string;
}

/** A column of a stored row that this server cannot read. Contains nothing of what is stored in the column. */
export interface RowFault extends RowName {
  readonly column: string;
  readonly reason: string;
  /** Undefined: the row belongs to no account, or does not name it. */
  readonly account: string | undefined;
}

interface RowFaultsEvents {
  /** Once for each row, until it can be read again. */
  found: [faults: readonly RowFault[]];
}

/** The most rows that are reported. A database that is damaged throughout must fill neither the memory nor the log. */
const MOST_KEPT = 1_000;

/**
 * The rows that cannot be read. It is a plugin of Kysely that changes nothing: plugins are there wherever statements are
 * executed, also in transactions, so that what reads rows finds it by its database.
 */
export class RowFaults extends Emitter<RowFaultsEvents> implements KyselyPlugin {
  readonly #present = new Map<string, readonly RowFault[]>();
  #found = 0;

  constructor() {
    super('storage');
  }

  /** Undefined: nobody wants to know of faults. */
  static of(db: { getExecutor(): Pick<QueryExecutor, 'plugins'> }): RowFaults | undefined {
    return db.getExecutor().plugins.find((plugin) => plugin instanceof RowFaults);
  }

  /** How many rows could not be read when they were last read. */
  get rows(): number {
    return this.#present.size;
  }

  /** How many rows were found since the start, also those that were mended since. */
  get found(): number {
    return this.#found;
  }

  /** By the name of the table: how many rows could not be read when they were last read. */
  get tables(): ReadonlyMap<string, number> {
    const tables = new Map<string, number>();
    for (const [fault] of this.#present.values()) {
      if (fault) tables.set(fault.table, (tables.get(fault.table) ?? 0) + 1);
    }
    return tables;
  }

  /** @param faults empty: the row could be read, or is gone */
  note({ table, row }: RowName, faults: readonly RowFault[]): void {
    const key = `${table} ${row}`;
    if (faults.length === 0) {
      this.#present.delete(key);
      return;
    }
    const isKnown = this.#present.has(key);
    if (!isKnown && this.#present.size >= MOST_KEPT) return;
    this.#present.set(key, faults);
    if (isKnown) return;
    this.#found++;
    this.emit('found', faults);
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}

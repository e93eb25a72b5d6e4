import { createHash } from 'node:crypto';

/** What both databases store in a column. Booleans are 0 or 1. */
export type Cell = string | number | null;
export type Row = readonly Cell[];

const BYTES = 16;
const MODULUS = 1n << BigInt(8 * BYTES);

/**
 * Identifies the rows of a table in any order, because the databases sort text differently: the number of the rows, and
 * the sum of their hashes.
 */
export class RowDigest {
  #rows = 0;
  #sum = 0n;

  add(row: Row): void {
    const hash = createHash('sha256').update(JSON.stringify(row)).digest('hex');
    this.#rows += 1;
    this.#sum = (this.#sum + BigInt(`0x${hash.slice(0, 2 * BYTES)}`)) % MODULUS;
  }

  get rows(): number {
    return this.#rows;
  }

  equals(other: RowDigest): boolean {
    return this.#rows === other.#rows && this.#sum === other.#sum;
  }
}

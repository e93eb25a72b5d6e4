import { DatabaseUnavailableError, DiskFullError } from '../../errors.js';

/** If the database permits no try, its disk counts as full until it has refused nothing for so long, in ms. */
export const FULL_DISK_HOLD_MS = 60_000;

/**
 * Whether a disk that was full has space again, for a database whose disk cannot be seen from here. Small writes prove
 * nothing: they succeed in the free space of tables.
 */
export class FreeSpace {
  readonly #now: () => number;
  #refusedAt = -Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A call failed because the disk is full. */
  refused(): void {
    this.#refusedAt = this.#now();
  }

  /** @param take takes new space, and gives it back */
  async isFree(take: (() => Promise<unknown>) | undefined): Promise<boolean> {
    const before = this.#refusedAt;
    const canTake = await outcomeOf(take);
    // A call that was refused meanwhile shows that there is too little.
    return before === this.#refusedAt && (canTake ?? this.#now() - before >= FULL_DISK_HOLD_MS);
  }
}

/** Undefined: the database permits no try. */
async function outcomeOf(take: (() => Promise<unknown>) | undefined): Promise<boolean | undefined> {
  try {
    await take?.();
    return take && true;
  } catch (error) {
    return error instanceof DiskFullError || error instanceof DatabaseUnavailableError ? false : undefined;
  }
}

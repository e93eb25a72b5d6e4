import type { StreamId } from './stream-id.js';

/** A broadcast that its publisher or its owner ended. */
export interface DeclaredEnd {
  /** Milliseconds since 1970. */
  readonly endedOn: number;
  /** That the publisher had. */
  readonly tokenId: number;
}

/**
 * Whoever comes within this time is told of the end, and later only that nothing is broadcast: the next broadcast under
 * the name is another one, which people come early for.
 */
export const END_TOLD_FOR_MS = 600_000;

/** The declared ends that are told, by stream. One that is too old is forgotten. */
export class DeclaredEnds {
  readonly #now: () => number;
  /** The oldest first. */
  readonly #ends = new Map<StreamId, DeclaredEnd>();

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#ends.size;
  }

  get(streamId: StreamId): DeclaredEnd | undefined {
    const end = this.#ends.get(streamId);
    return end && !this.#isOld(end) ? end : undefined;
  }

  set(streamId: StreamId, end: DeclaredEnd): void {
    this.#ends.delete(streamId);
    this.#ends.set(streamId, end);
    for (const [id, known] of this.#ends) {
      if (!this.#isOld(known)) break;
      this.#ends.delete(id);
    }
  }

  /** @returns whether there was one */
  delete(streamId: StreamId): boolean {
    return this.#ends.delete(streamId);
  }

  keys(): IterableIterator<StreamId> {
    return this.#ends.keys();
  }

  #isOld({ endedOn }: DeclaredEnd): boolean {
    return this.#now() - endedOn >= END_TOLD_FOR_MS;
  }
}

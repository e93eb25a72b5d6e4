/** Differences below this are not corrected: the measurement is not exact, and a clock that jumps is worse. */
const TOLERANCE_MS = 20;

/**
 * The time of the database, so that all servers agree on when a token or a grant expires. Without a measurement it is the
 * time of the machine.
 */
export class DatabaseClock {
  readonly #machine: () => number;
  #offset = 0;

  /** @param machine milliseconds since 1970 */
  constructor(machine: () => number) {
    this.#machine = machine;
  }

  /** How far the clock of the machine is behind that of the database, in milliseconds. */
  get offset(): number {
    return this.#offset;
  }

  /** Milliseconds since 1970. */
  readonly now = (): number => Math.round(this.#machine() + this.#offset);

  /** The machine's time, to pass to `measured`. */
  read(): number {
    return this.#machine();
  }

  /** The database's time was read after `sentAt` and before now, both by the clock of the machine. */
  measured(databaseTime: number, sentAt: number): void {
    const receivedAt = this.#machine();
    const offset = databaseTime - (sentAt + receivedAt) / 2;
    const isExact = Math.abs(offset - this.#offset) <= (receivedAt - sentAt) / 2 + TOLERANCE_MS;
    if (!isExact) this.#offset = offset;
  }
}

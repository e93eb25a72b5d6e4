export interface PruningParts {
  /**
   * Removes what is too old at `now`, in milliseconds since 1970. What takes several steps stops between two of them
   * when `signal` is aborted.
   */
  readonly prune: (now: number, signal: AbortSignal) => Promise<unknown>;
  readonly everyMs: number;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** What is too old stays until the next time. */
  readonly onFailed?: ((error: unknown) => void) | undefined;
}

/** Removes what is too old: at the start, and again and again while the server runs. Nobody waits for it. */
export class Pruning {
  readonly #parts: PruningParts;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: PruningParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#begin();
    this.#timer = setInterval(() => this.#begin(), this.#parts.everyMs).unref();
  }

  /** Resolves when nothing is being removed any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#running;
  }

  #begin(): void {
    this.#running ??= this.#prune();
  }

  async #prune(): Promise<void> {
    const { prune, now = Date.now, onFailed } = this.#parts;
    try {
      await prune(now(), this.#closing.signal);
    } catch (error) {
      onFailed?.(error);
    } finally {
      this.#running = undefined;
    }
  }
}

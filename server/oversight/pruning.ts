import { after, every } from '../faults/timers.js';

export interface PruningOptions {
  /** As `/readyz` names it. */
  readonly name: string;
  /**
   * Deletes the data that is too old at `now`, in milliseconds since 1970. A deletion in several steps stops between
   * two of them when `signal` is aborted.
   */
  readonly prune: (now: number, signal: AbortSignal) => Promise<unknown>;
  readonly everyMs: number;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** A run failed. It is repeated soon. */
  readonly onFailed?: ((error: unknown) => void) | undefined;
}

/** When a run is repeated that failed: most failures are those of a database or a disk, and end with them. */
export const RETRY_MS = 300_000;

/** Deletes old data at the start of the server and at an interval, and soon after a failure. Runs in the background, one run at a time. */
export class Pruning {
  readonly #options: PruningOptions;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isFailing = false;

  constructor(options: PruningOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  /** The last run failed. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  start(): void {
    this.#begin();
    this.#timer = every('oversight', this.#options.everyMs, () => this.#begin()).unref();
  }

  /** Resolves when the present run has ended. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#running;
    clearTimeout(this.#retry);
  }

  #begin(): void {
    clearTimeout(this.#retry);
    this.#running ??= this.#prune();
  }

  async #prune(): Promise<void> {
    const { prune, now = Date.now, onFailed } = this.#options;
    try {
      await prune(now(), this.#closing.signal);
      this.#isFailing = false;
    } catch (error) {
      this.#isFailing = true;
      this.#retry = after('oversight', RETRY_MS, () => this.#begin()).unref();
      onFailed?.(error);
    } finally {
      this.#running = undefined;
    }
  }
}

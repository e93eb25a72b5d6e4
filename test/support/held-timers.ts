/** Timers with one delay, which run when a test calls `elapse` instead of after the delay. Other timers run as usual. */
export class HeldTimers {
  readonly #pending = new Map<number, () => void>();
  readonly #setTimeout = window.setTimeout;
  readonly #clearTimeout = window.clearTimeout;
  #last = 0;

  /** Replaces `setTimeout` and `clearTimeout` until `restore` is called. */
  constructor(delayMs: number) {
    const original = { set: this.#setTimeout.bind(window), clear: this.#clearTimeout.bind(window) };
    const set = (handler: TimerHandler, ms?: number, ...args: unknown[]): number => {
      if (ms !== delayMs || typeof handler !== 'function') return original.set(handler, ms, ...args);
      // Negative, unlike the ids of the browser.
      const id = (this.#last -= 1);
      this.#pending.set(id, () => handler(...args));
      return id;
    };
    const clear = (id?: number): void => {
      if (!this.#pending.delete(id ?? 0)) original.clear(id);
    };
    Object.assign(window, { setTimeout: set, clearTimeout: clear });
  }

  /** Runs all pending timers. */
  elapse(): void {
    const handlers = [...this.#pending.values()];
    this.#pending.clear();
    for (const run of handlers) run();
  }

  restore(): void {
    Object.assign(window, { setTimeout: this.#setTimeout, clearTimeout: this.#clearTimeout });
  }
}

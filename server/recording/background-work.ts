/** What goes on while nobody waits for it. */
export class BackgroundWork {
  readonly #running = new Set<Promise<void>>();
  readonly #onFailed: (error: unknown) => void;

  /** @param onFailed called with the error of whatever is rejected */
  constructor(onFailed: (error: unknown) => void) {
    this.#onFailed = onFailed;
  }

  track(work: Promise<unknown>): void {
    const settled: Promise<void> = work
      .then(() => undefined, this.#onFailed)
      .finally(() => this.#running.delete(settled));
    this.#running.add(settled);
  }

  /** Resolves when nothing goes on any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

/** A crowd that comes at once must not cost a message each to each. */
const SHORTEST_PAUSE_MS = 1000;

/** Announces a number when it changes, at once and then no more than once a second. */
export class ViewerCount {
  readonly #announce: (count: number) => void;
  #count = 0;
  #announced = 0;
  #pause: NodeJS.Timeout | undefined;

  constructor(announce: (count: number) => void) {
    this.#announce = announce;
  }

  /** What everybody was told. */
  get announced(): number {
    return this.#announced;
  }

  set(count: number): void {
    this.#count = count;
    if (!this.#pause) this.#speak();
  }

  close(): void {
    clearTimeout(this.#pause);
  }

  #speak(): void {
    this.#pause = undefined;
    if (this.#count === this.#announced) return;
    this.#announced = this.#count;
    this.#pause = setTimeout(() => this.#speak(), SHORTEST_PAUSE_MS);
    this.#pause.unref();
    this.#announce(this.#count);
  }
}

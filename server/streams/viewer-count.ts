/** The shortest time between two announcements: many viewers that join at once cause one message to each member. */
const ANNOUNCE_INTERVAL_MS = 1000;

/** Announces a number when it changes: at once, and then at most once a second. */
export class ViewerCount {
  readonly #announce: (count: number) => void;
  #count = 0;
  #announced = 0;
  #pause: NodeJS.Timeout | undefined;

  constructor(announce: (count: number) => void) {
    this.#announce = announce;
  }

  /** The number that was announced last. */
  get announced(): number {
    return this.#announced;
  }

  set(count: number): void {
    this.#count = count;
    if (!this.#pause) this.#announceChange();
  }

  close(): void {
    clearTimeout(this.#pause);
  }

  #announceChange(): void {
    this.#pause = undefined;
    if (this.#count === this.#announced) return;
    this.#announced = this.#count;
    this.#pause = setTimeout(() => this.#announceChange(), ANNOUNCE_INTERVAL_MS);
    this.#pause.unref();
    this.#announce(this.#count);
  }
}

const SAMPLE_MS = 1_000;
/** Weight of the newest sample: overload must last some seconds to count, and so must relief. */
const NEWEST = 0.4;

/**
 * How late the event loop runs, in ms: packets wait in a queue before it that has no end, so overload shows as delay
 * and never as loss. It goes by how late a timer comes that there is anyway, as a timer of its own would wake a process
 * that has little to do as often as its packets do.
 */
export class LoadGauge {
  readonly #everyMs: number;
  #sampledAt: number;
  #beatAt: number;
  #late = 0;
  #beats = 0;
  #lag = 0;

  /** @param everyMs how often it is going to beat */
  constructor(everyMs: number, now: number) {
    this.#everyMs = everyMs;
    this.#sampledAt = this.#beatAt = now;
  }

  get lag(): number {
    return this.#lag;
  }

  /** To be called by a timer: the later, the more there is to do. */
  beat(now: number): void {
    this.#late += Math.max(0, now - this.#beatAt - this.#everyMs);
    this.#beats++;
    this.#beatAt = now;
    if (now - this.#sampledAt < SAMPLE_MS) return;
    this.#lag += (this.#late / this.#beats - this.#lag) * NEWEST;
    this.#late = this.#beats = 0;
    this.#sampledAt = now;
  }
}

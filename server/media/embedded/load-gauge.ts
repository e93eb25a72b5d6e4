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
  #sampledAt = 0;
  #beatAt = 0;
  #late = 0;
  #beats = 0;
  #lag = 0;

  /** @param everyMs how often it is going to beat */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  get lag(): number {
    return this.#lag;
  }

  /** The timer runs from now on; until now there was nothing to do, and no load. */
  begin(now: number): void {
    this.#sampledAt = this.#beatAt = now;
    this.#late = this.#beats = this.#lag = 0;
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

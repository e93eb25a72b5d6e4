import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
/** Weight of the newest reading: overload must last some seconds to count, and so must relief. */
const NEWEST = 0.4;

/**
 * How late the event loop runs, in ms: packets wait in a queue before it that has no end, so overload shows as delay
 * and never as loss.
 */
export class LoadGauge {
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #lag = 0;

  constructor() {
    this.#histogram.enable();
  }

  get lag(): number {
    return this.#lag;
  }

  /** To be called once a second. */
  sample(): void {
    const { mean } = this.#histogram;
    this.#histogram.reset();
    // In ns; NaN when the loop stood still for the whole second and nothing was measured.
    this.note(Number.isNaN(mean) ? 1_000 : Math.max(0, mean / 1e6 - RESOLUTION_MS));
  }

  note(lag: number): void {
    this.#lag += (lag - this.#lag) * NEWEST;
  }

  close(): void {
    this.#histogram.disable();
  }
}

import { contain } from '../../../faults/contain.js';
import { after } from '../../../faults/timers.js';
import type { PacingState } from '../producer/frame-pacer.js';

const INTERVAL_MS = 4;

/**
 * Calls `pace` at the end of a turn of the event loop in which packets arrived, and while large frames are being sent bit
 * by bit: every few ms, or as soon as what arrived in between is forwarded.
 */
export class PacingLoop {
  readonly #pace: () => PacingState;
  #scheduled: { readonly state: 'now' | 'later'; cancel(): void } | undefined;

  constructor(pace: () => PacingState) {
    this.#pace = pace;
  }

  /** Calls `pace` at the end of this turn. */
  start(): void {
    if (this.#scheduled?.state === 'now') return;
    this.stop();
    this.#schedule('now');
  }

  stop(): void {
    this.#scheduled?.cancel();
    this.#scheduled = undefined;
  }

  #schedule(state: PacingState): void {
    this.#scheduled = undefined;
    if (state === 'idle') return;
    const run = () => {
      this.#scheduled = undefined;
      const next = this.#pace();
      // `pace` may have started it again.
      if (!this.#scheduled) this.#schedule(next);
    };
    if (state === 'now') {
      const immediate = setImmediate(contain('media', run));
      this.#scheduled = { state, cancel: () => clearImmediate(immediate) };
    } else {
      const timeout = after('media', INTERVAL_MS, run);
      this.#scheduled = { state, cancel: () => clearTimeout(timeout) };
    }
  }
}

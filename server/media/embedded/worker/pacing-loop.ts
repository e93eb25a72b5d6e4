import type { PacingState } from '../producer/frame-pacer.js';

const INTERVAL_MS = 4;

/**
 * Calls `pace` while large frames are being sent bit by bit: every few ms, or as soon as what arrived in between is
 * forwarded.
 */
export class PacingLoop {
  readonly #pace: () => PacingState;
  #cancel: (() => void) | undefined;

  constructor(pace: () => PacingState) {
    this.#pace = pace;
  }

  start(): void {
    if (!this.#cancel) this.#schedule('now');
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #schedule(state: PacingState): void {
    this.#cancel = undefined;
    if (state === 'idle') return;
    const run = () => this.#schedule(this.#pace());
    if (state === 'now') {
      const immediate = setImmediate(run);
      this.#cancel = () => clearImmediate(immediate);
    } else {
      const timeout = setTimeout(run, INTERVAL_MS);
      this.#cancel = () => clearTimeout(timeout);
    }
  }
}

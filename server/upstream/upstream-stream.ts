import { attempt } from '../faults/contain.js';
import { after } from '../faults/timers.js';
import type { LiveState } from './live-state.js';
import { nextLiveness, nextPollMs, type Liveness } from './liveness.js';

export interface UpstreamStreamOptions {
  /** Asks the upstream. Never rejects. */
  readonly ask: () => Promise<LiveState>;
  /** The stream became live at the upstream. */
  readonly onLive: () => void;
  /** The media ended there, or never came. */
  readonly onOver: (wasLive: boolean) => void;
  /** Milliseconds of a clock that does not go back. */
  readonly now: () => number;
}

/** One stream at its upstream: whether it is live there, and who waits for that. */
export class UpstreamStream {
  readonly #options: UpstreamStreamOptions;
  readonly #waiting = new Set<() => void>();
  #liveness: Liveness = { name: 'over' };
  #timer: NodeJS.Timeout | undefined;
  /** Changes with each broadcast: an answer that was asked for in an earlier one does not count. */
  #run = 0;

  constructor(options: UpstreamStreamOptions) {
    this.#options = options;
  }

  get isLive(): boolean {
    return this.#liveness.name === 'live';
  }

  /** A publisher was connected: from now on the upstream is asked. */
  begin(): void {
    this.#liveness = { name: 'starting', since: this.#options.now() };
    attempt('upstream', () => this.#poll((this.#run += 1)));
  }

  /** The publisher is gone. Who waits goes on waiting. */
  end(): void {
    this.#run += 1;
    clearTimeout(this.#timer);
    this.#liveness = { name: 'over' };
  }

  /** Resolves when the stream is live. Rejects with the reason of the signal. */
  async whenLive(signal: AbortSignal): Promise<void> {
    while (!this.isLive) {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const stopWaiting = (): void => {
          this.#waiting.delete(wake);
          signal.removeEventListener('abort', aborted);
        };
        const wake = (): void => {
          stopWaiting();
          resolve();
        };
        const aborted = (): void => {
          stopWaiting();
          reject(signal.reason);
        };
        this.#waiting.add(wake);
        signal.addEventListener('abort', aborted);
      });
    }
  }

  async #poll(run: number): Promise<void> {
    const { ask, now, onLive, onOver } = this.#options;
    const said = await ask();
    if (run !== this.#run) return;
    const before = this.#liveness;
    this.#liveness = nextLiveness(before, said, now());
    if (this.#liveness.name === 'over') {
      this.end();
      return onOver(before.name === 'live');
    }
    this.#timer = after('upstream', nextPollMs(this.#liveness, now()), () => this.#poll(run)).unref();
    if (before.name === 'live' || !this.isLive) return;
    onLive();
    for (const wake of Array.from(this.#waiting)) wake();
  }
}

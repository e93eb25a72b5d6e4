import { performance } from 'node:perf_hooks';
import type { ArrivalWindow } from '../bandwidth/transport-feedback-generator.js';

/** Where the time comes from, in ms. */
export interface LoopTimeSource {
  readonly now: () => number;
  /** For how long the event loop has slept in all, as nothing was there to do. */
  readonly idleTime: () => number;
}

const { nodeTiming } = performance;
const PROCESS_TIMES: LoopTimeSource = { now: () => performance.now(), idleTime: () => nodeTiming.idleTime };
/** A loop that looks for what is there, finds it and goes on counts as asleep for some µs. */
const LEAST_SLEEP_MS = 0.1;
/** A loop that was busy for longer may be in another turn. */
const LONG_TURN_MS = 5;

/**
 * Since when what is handed over in this turn of the event loop may have been waiting. What comes to a loop that
 * sleeps wakes it: so no longer than it has been awake, and while it never sleeps, since the turn before began. One is
 * enough for a process.
 */
export class EventLoopClock implements ArrivalWindow {
  readonly #times: LoopTimeSource;
  #notBefore: number;
  #now: number;
  #slept: number;
  #inTurn = false;

  constructor(times: LoopTimeSource = PROCESS_TIMES) {
    this.#times = times;
    this.#notBefore = this.#now = times.now();
    this.#slept = times.idleTime();
  }

  get notBefore(): number {
    return this.#notBefore;
  }

  get now(): number {
    return this.#now;
  }

  /** To be called for each packet that is handed over. The answer holds until the next call. */
  read(): ArrivalWindow {
    const readBefore = this.#now;
    const sleptBefore = this.#slept;
    this.#slept = this.#times.idleTime();
    this.#now = this.#times.now();
    const sleep = this.#slept - sleptBefore;
    if (sleep >= LEAST_SLEEP_MS) {
      // All but the sleep counts as after it: what else the loop did is not known.
      this.#notBefore = readBefore + sleep;
    } else if (!this.#inTurn && this.#now - this.#notBefore > LONG_TURN_MS) {
      this.#enterTurn(this.#now);
    }
    return this;
  }

  /** What waited when the turn began is handed over by the time that its immediates run; what came later may not be. */
  #enterTurn(began: number): void {
    this.#inTurn = true;
    setImmediate(() => {
      this.#inTurn = false;
      this.#notBefore = Math.max(this.#notBefore, began);
    });
  }
}

import { performance } from 'node:perf_hooks';
import { contain } from '../../../faults/contain.js';
import type { ArrivalWindow } from '../bandwidth/transport-feedback-generator.js';

/** Both in ms. */
export interface LoopTimeSource {
  readonly now: () => number;
  /** How long the event loop has been idle in all. */
  readonly idleTime: () => number;
}

const { nodeTiming } = performance;
const PROCESS_TIMES: LoopTimeSource = { now: () => performance.now(), idleTime: () => nodeTiming.idleTime };
/** A loop that finds work at once still counts some µs as idle. */
const MIN_IDLE_MS = 0.1;
/** A loop that was busy for longer than this may have entered another turn. */
const LONG_TURN_MS = 5;
/** Node hands over so many packets of one peer in a turn, and the others in a later one (`kMaxIterationCount`). */
const MOST_IN_TURN = 1_000;

/**
 * Returns since when a packet that is delivered in this turn of the event loop may have been waiting. A packet wakes an
 * idle loop, so it has waited no longer than the loop has been busy. If the loop is never idle, it has waited no longer
 * than since the previous turn began. One instance serves a process.
 */
export class EventLoopClock implements ArrivalWindow {
  readonly #times: LoopTimeSource;
  #notBefore: number;
  #now: number;
  #idleTime: number;
  #inTurn = false;
  /** Packets handed over in this turn. */
  #packets = 0;

  constructor(times: LoopTimeSource = PROCESS_TIMES) {
    this.#times = times;
    this.#notBefore = this.#now = times.now();
    this.#idleTime = times.idleTime();
  }

  get notBefore(): number {
    return this.#notBefore;
  }

  get now(): number {
    return this.#now;
  }

  /** Call for each packet that is handed over. The result is valid until the next call. */
  read(): ArrivalWindow {
    this.#packets++;
    const lastNow = this.#now;
    const lastIdleTime = this.#idleTime;
    this.#idleTime = this.#times.idleTime();
    this.#now = this.#times.now();
    const idle = this.#idleTime - lastIdleTime;
    if (idle >= MIN_IDLE_MS) {
      // It is unknown when in this time the loop was idle. Assume idle first and busy since then.
      this.#notBefore = lastNow + idle;
    } else if (!this.#inTurn && this.#now - this.#notBefore > LONG_TURN_MS) {
      this.#enterTurn(this.#now);
    }
    return this;
  }

  /**
   * When the immediates of a turn run, everything that waited when the turn began has been handed over, unless that was
   * more than one turn takes.
   */
  #enterTurn(began: number): void {
    this.#inTurn = true;
    this.#packets = 0;
    setImmediate(
      contain('media', () => {
        this.#inTurn = false;
        if (this.#packets < MOST_IN_TURN) this.#notBefore = Math.max(this.#notBefore, began);
      }),
    );
  }
}

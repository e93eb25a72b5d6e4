import type { Handover } from './arrival-record.js';

/**
 * Since when what is handed over in this turn of the event loop may have been waiting: since the turn before began.
 * One is enough for a process.
 */
export class LoopClock implements Handover {
  #notBefore = performance.now();
  #now = this.#notBefore;
  #inTurn = false;

  get notBefore(): number {
    return this.#notBefore;
  }

  get now(): number {
    return this.#now;
  }

  /** To be called for each packet that is handed over. The answer holds until the next call. */
  read(): Handover {
    this.#now = performance.now();
    this.#enterTurn(this.#now);
    return this;
  }

  /** To be called by a timer of few tens of ms, so that silence does not count as waiting. */
  beat(): void {
    this.#enterTurn(performance.now());
  }

  /** What waited when the turn began is handed over by the time that its immediates run; what came later may not be. */
  #enterTurn(began: number): void {
    if (this.#inTurn) return;
    this.#inTurn = true;
    setImmediate(() => {
      this.#inTurn = false;
      this.#notBefore = began;
    });
  }
}

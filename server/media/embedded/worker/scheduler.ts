import { reportFault } from '../../../faults/fault.js';
import { after } from '../../../faults/timers.js';

/** Interval while something is due soon, whether packets arrive or not. */
const SOON_MS = 20;
/** Interval while packets arrive. */
const PACKET_MS = 50;
/** Interval without packets: only slow work is left, such as detecting timeouts. */
const IDLE_MS = 100;

/**
 * Calls `tick` every few tens of ms. It uses the arrival of packets instead of a timer where it can: a process with few
 * viewers would be woken by a timer more often than by packets. Timers are used when no packets arrive, and for work
 * that is due soon.
 *
 *     scheduler.onPacket(now);           // before each packet
 *     scheduler.runSoonIf(needsTick);    // after it, if it left work that is due soon
 */
export class Scheduler {
  readonly #now: () => number;
  readonly #tick: (now: number) => boolean;
  #tickedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isSoon = false;

  /** @param tick returns whether it must be called again soon, even if no packet arrives */
  constructor(now: () => number, tick: (now: number) => boolean) {
    this.#now = now;
    this.#tick = tick;
  }

  get running(): boolean {
    return this.#timer !== undefined;
  }

  start(): void {
    this.#tickedAt = this.#now();
    this.#setTimer(false);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  onPacket(now: number): void {
    if (this.#timer && now - this.#tickedAt >= PACKET_MS) this.#run(now);
  }

  runSoonIf(isDue: boolean): void {
    if (isDue && !this.#isSoon && this.#timer) this.#setTimer(true);
  }

  #run(now: number): void {
    this.#tickedAt = now;
    let soon = false;
    try {
      soon = this.#tick(now);
    } catch (error) {
      // A packet may have called, which has no part in it, and the next tick must come.
      reportFault('media', error);
    }
    // `tick` may have called `stop`.
    if (this.#timer) this.#setTimer(soon);
  }

  #setTimer(soon: boolean): void {
    clearTimeout(this.#timer);
    this.#isSoon = soon;
    this.#timer = after('media', soon ? SOON_MS : IDLE_MS, () => this.#run(this.#now()));
  }
}

import { ApiError } from '../errors.js';
import { every } from '../faults/timers.js';
import { NetworkCalls } from './network-calls.js';

const SAMPLE_MS = 100;
/** How late the event loop may be on average. Callers give up after some seconds, and what they asked is answered for nobody. */
const MAX_LATE_MS = 1_000;
/** The time of the average. One stall of the machine, which is over before, refuses nobody. */
const AVERAGE_MS = 10_000;
/** When to try again, in seconds: when the server has too much to do, and when only this network has had its share. */
const RETRY_SECONDS = 10;
const SHARE_RETRY_SECONDS = 2;

/** The average lateness after a sample. @param elapsedMs since the sample before, which was due after `SAMPLE_MS` */
export function averageLateness(before: number, elapsedMs: number): number {
  const late = Math.max(0, elapsedMs - SAMPLE_MS);
  const weight = 1 - Math.exp(-elapsedMs / AVERAGE_MS);
  return before + weight * (late - before);
}

/** Whether the server process keeps up with the calls that it gets. Media has a load of its own, in its own processes. */
export class ServerLoad {
  readonly #now: () => number;
  #lateMs = 0;
  #sampledAt: number;
  readonly #networks = new NetworkCalls();
  readonly #timer: NodeJS.Timeout;

  /** @param now the monotonic clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.#sampledAt = now();
    this.#timer = every('sessions', SAMPLE_MS, () => this.#sample()).unref();
  }

  /**
   * Call it before the work for a new session.
   * @param addressOf the canonical address of the caller
   * @throws {ApiError} 503 `busy`
   */
  requireRoom(addressOf: () => string): void {
    if (this.#lateMs > MAX_LATE_MS) throw busy(RETRY_SECONDS);
    if (!this.#networks.take(addressOf)) throw busy(SHARE_RETRY_SECONDS);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const time = this.#now();
    const elapsedMs = time - this.#sampledAt;
    this.#lateMs = averageLateness(this.#lateMs, elapsedMs);
    this.#networks.sample(elapsedMs - SAMPLE_MS);
    this.#sampledAt = time;
  }
}

const busy = (retrySeconds: number): ApiError =>
  new ApiError(503, 'busy', 'The server has more calls than it can answer; try again in a moment', {
    headers: { 'retry-after': String(retrySeconds) },
  });

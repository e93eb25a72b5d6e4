import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Handlers } from '../../support/bench-process.js';

/** Sends the event that a stream is live to all sockets of a crowd. */
export interface FanOut extends Handlers {
  /** @returns what the sockets connect to */
  endpoint(argument: null): { readonly url: string; readonly token: string };
  /** Sends the event. @returns the time of the start in ns of `process.hrtime`, as a string */
  start(argument: null): Promise<string>;
  /** @returns the longest block of the event loop since the start, in ms */
  longestBlock(argument: null): number;
}

const RESOLUTION_MS = 1;
/** The histogram misses the first moments after a reset. */
const SETTLING_MS = 50;

/** Measures how long the event loop is blocked. */
export class LoopDelay {
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#delays.enable();
  }

  async begin(): Promise<string> {
    this.#delays.reset();
    await sleep(SETTLING_MS);
    return String(process.hrtime.bigint());
  }

  /** Includes the 1 ms that the measuring timer itself waits. */
  get longestMs(): number {
    return this.#delays.max / 1e6;
  }
}

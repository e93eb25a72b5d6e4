import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Handlers } from '../../support/bench-process.js';

/** What tells a crowd that a stream began. */
export interface FanOut extends Handlers {
  /** Where the crowd connects. */
  place(question: null): { readonly url: string; readonly token: string };
  /** Tells everybody. @returns when it began to, in ns of `process.hrtime`, as text */
  start(question: null): Promise<string>;
  /** How long the event loop was blocked at most since the start, in ms. */
  longestBlock(question: null): number;
}

const RESOLUTION_MS = 1;
/** What follows a reset at once is not measured. */
const SETTLING_MS = 50;

/** Watches how long nothing else has a turn. */
export class LoopWatch {
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#delays.enable();
  }

  async begin(): Promise<string> {
    this.#delays.reset();
    await sleep(SETTLING_MS);
    return String(process.hrtime.bigint());
  }

  /** A timer of 1 ms measures it; what it waits for by itself is in it. */
  get longestMs(): number {
    return this.#delays.max / 1e6;
  }
}

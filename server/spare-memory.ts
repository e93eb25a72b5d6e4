import { performance } from 'node:perf_hooks';

/** What is known of this process at one time. */
export interface ProcessLook {
  readonly residentBytes: number;
  /** Which part of the time since the look before the event loop was busy, from 0 to 1. */
  readonly busy: number;
}

export interface SpareMemoryOptions {
  look(): ProcessLook;
  /** Collects all garbage, and returns the memory to the system. */
  release(): Promise<void>;
  onReleased(beforeBytes: number, afterBytes: number): void;
}

/** The time between two looks. */
export const LOOK_MS = 10_000;
/** So long after a load a collection stops nobody who is in a hurry. */
const IDLE_LOOKS = 2;
/** The pause of a collection is then seen by one caller in ten at most. */
const BUSY = 0.1;
/** A collection for less is not worth its pause. */
const SPARE_BYTES = 48 * 1024 * 1024;

/**
 * Returns the memory that a load has left to the system, once the load is over: V8 collects what has become garbage when
 * it needs room, which an idle process does not, and keeps the pages of its heap (decision 47).
 */
export class SpareMemory {
  readonly #options: SpareMemoryOptions;
  /** What the process has had since the last collection, at its lowest. */
  #leastBytes = Number.POSITIVE_INFINITY;
  #idleLooks = 0;

  constructor(options: SpareMemoryOptions) {
    this.#options = options;
  }

  /** Call this every `LOOK_MS`. */
  async check(): Promise<void> {
    const { look, release, onReleased } = this.#options;
    const { residentBytes, busy } = look();
    this.#leastBytes = Math.min(this.#leastBytes, residentBytes);
    this.#idleLooks = busy < BUSY ? this.#idleLooks + 1 : 0;
    if (this.#idleLooks < IDLE_LOOKS || residentBytes - this.#leastBytes < SPARE_BYTES) return;
    this.#idleLooks = 0;
    await release();
    // What did not come back is in use, and no reason to collect again.
    this.#leastBytes = look().residentBytes;
    onReleased(residentBytes, this.#leastBytes);
  }
}

/** For the process that this code runs in. */
export function ownSpareMemory(onReleased: SpareMemoryOptions['onReleased']): SpareMemory {
  let before = performance.eventLoopUtilization();
  return new SpareMemory({
    look() {
      const now = performance.eventLoopUtilization();
      const { utilization: busy } = performance.eventLoopUtilization(now, before);
      before = now;
      return { residentBytes: process.memoryUsage.rss(), busy };
    },
    async release() {
      const { Session } = await import('node:inspector/promises');
      const session = new Session();
      session.connect();
      try {
        // Without a debugger, and without the flag --expose-gc: V8 does what it does when the system has no memory.
        await session.post('HeapProfiler.collectGarbage');
      } finally {
        session.disconnect();
      }
    },
    onReleased,
  });
}

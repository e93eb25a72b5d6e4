import type { Bottleneck, Flow } from './network-simulation.js';

const SEGMENT = 1_460;
const INITIAL_WINDOW = 10;
const MIN_TIMEOUT_MS = 200;

interface Segment {
  readonly sentAt: number;
  /** When the sender knows that it arrived, or that it was lost. */
  readonly knownAt: number;
  readonly isLost: boolean;
}

/**
 * A TCP flow with the congestion control of Reno (RFC 5681): slow start, one more segment in each round trip, and half
 * the window after a loss. A loss is known when the segments after it are acknowledged, or after a timeout.
 */
export class TcpFlow implements Flow {
  /** How many bytes to transfer. */
  readonly #size: number;
  #window = INITIAL_WINDOW;
  #threshold = Infinity;
  #inFlight: Segment[] = [];
  #sentBytes = 0;
  #recoveredUntil = -Infinity;
  /** Bytes that arrived. */
  arrivedBytes = 0;

  constructor(size = Infinity) {
    this.#size = size;
  }

  step(now: number, network: Bottleneck): void {
    const known = this.#inFlight.filter(({ knownAt }) => knownAt <= now);
    if (known.length) this.#inFlight = this.#inFlight.filter(({ knownAt }) => knownAt > now);
    for (const segment of known) this.#onKnown(segment, now);
    while (this.#inFlight.length < Math.floor(this.#window) && this.#sentBytes < this.#size) this.#send(now, network);
  }

  #send(now: number, network: Bottleneck): void {
    const roundTrip = 2 * network.conditions.delay + network.queue(now);
    const arrival = network.send(SEGMENT, now);
    const isLost = Number.isNaN(arrival);
    const lossKnown = this.#inFlight.length > 3 ? now + roundTrip : now + Math.max(MIN_TIMEOUT_MS, 2 * roundTrip);
    const knownAt = isLost ? lossKnown : arrival + network.conditions.delay;
    this.#inFlight.push({ sentAt: now, knownAt, isLost });
    if (isLost) return;
    this.#sentBytes += SEGMENT;
    this.arrivedBytes += SEGMENT;
  }

  #onKnown({ sentAt, isLost }: Segment, now: number): void {
    if (!isLost) {
      this.#window += this.#window < this.#threshold ? 1 : 1 / this.#window;
    } else if (sentAt > this.#recoveredUntil) {
      this.#threshold = this.#window = Math.max(2, this.#window / 2);
      this.#recoveredUntil = now;
    }
  }
}

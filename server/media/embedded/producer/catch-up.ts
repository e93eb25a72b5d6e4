import { timestamp } from '../rtp/packet.js';
import type { GroupOfPictures } from './group-of-pictures.js';

/** How much faster than real time. The sink needs so much bandwidth meanwhile. */
const SPEED = 3;
/** Of video. */
const TICKS_PER_MS = 90;

/**
 * Gives a sink that joins between two keyframes what came since the last one, faster than real time, until it has
 * caught up. Timestamps are compressed: a player shows the pictures as they come, and not with the delay of the first.
 */
export class CatchUp {
  readonly #startedAt: number;
  /** Timestamps of the first packet, and of the newest when the sink joined. */
  readonly #from: number;
  readonly #joined: number;
  #next: number;
  /** The last packet whose timestamp is compressed. */
  #until = Infinity;

  /** @param group has packets */
  constructor(group: GroupOfPictures, now: number) {
    this.#startedAt = now;
    this.#next = group.first!;
    this.#from = timestamp(group.find(group.first!)!);
    this.#joined = timestamp(group.find(group.last)!);
  }

  get isDone(): boolean {
    return this.#until !== Infinity;
  }

  /** The last packet that is given. Packets after it are real time. */
  get until(): number {
    return this.#until;
  }

  /** The sequence numbers of the packets that are due. */
  *due(group: GroupOfPictures, now: number): Generator<number> {
    const reach = (now - this.#startedAt) * SPEED * TICKS_PER_MS;
    for (; this.#next <= group.last; this.#next++) {
      const packet = group.find(this.#next);
      // A player requests what is missing, and gets it if it comes late.
      if (!packet) continue;
      if (this.#since(timestamp(packet)) > reach) return;
      yield this.#next;
    }
    this.#until = this.#next - 1;
  }

  /** The timestamp of a packet for the sink: from the time when it joined on. */
  timestampOf(sequence: number, timestamp: number): number {
    if (sequence > this.#until) return timestamp;
    return (this.#joined + Math.round(this.#since(timestamp) / SPEED)) >>> 0;
  }

  #since(timestamp: number): number {
    return (timestamp - this.#from) | 0;
  }
}

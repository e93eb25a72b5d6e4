import { sequenceDistance } from '../rtp/packet.js';

/** A wider gap is a jump in the sequence numbers and no loss (MAX_DROPOUT in RFC 3550 appendix A.1). */
export const MAX_DROPOUT = 3_000;
/** Packets this far behind are late or resent (MAX_MISORDER). RTX makes it more than the 100 of the RFC. */
export const MAX_MISORDER = 1_024;
/** Encoders resend packets of the last seconds to probe the network: their timestamps are this far back at most. */
const MAX_RESENT_AGE_S = 5;

/**
 * Extends the 16-bit sequence numbers of one sender, so that they never wrap and never go back. After a jump, two
 * packets in sequence show that the sender restarted (RFC 3550 appendix A.1); a single one is a stray.
 */
export class SequenceExtender {
  readonly #after: number;
  readonly #clockRate: number;
  #highest = -1;
  #newestTimestamp = 0;
  /** What follows the packet that is held. */
  #awaited: number | undefined;
  #isHeld = false;
  #isRestart = false;

  /**
   * @param after the numbers begin after this one, as far as a jump
   * @param clockRate of the timestamps, in Hz
   */
  constructor(clockRate: number, after = 0) {
    this.#clockRate = clockRate;
    this.#after = after;
  }

  /** The highest number so far. -1: no packet came. */
  get highest(): number {
    return this.#highest;
  }

  /** Whether the last packet, which was not in range, counts if the next one follows it. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Whether the sender restarted with the packet before the last one. */
  get isRestart(): boolean {
    return this.#isRestart;
  }

  /** @returns undefined: the packet is older than `MAX_MISORDER`, or it is held */
  extend(sequence: number, timestamp: number): number | undefined {
    this.#isHeld = this.#isRestart = false;
    if (this.#highest < 0) return this.#advance(this.#firstExtended(sequence), timestamp);
    const distance = sequenceDistance(sequence, this.#highest & 0xffff);
    if (distance > 0 && distance <= MAX_DROPOUT) return this.#advance(this.#highest + distance, timestamp);
    if (distance <= 0 && distance > -MAX_MISORDER) return this.#highest + distance;
    if (sequence === this.#awaited) {
      this.#isRestart = true;
      return this.#advance(this.#highest + (distance & 0xffff), timestamp);
    }
    if (distance < 0 && this.#isResent(timestamp)) return undefined;
    this.#awaited = (sequence + 1) & 0xffff;
    this.#isHeld = true;
    return undefined;
  }

  #advance(sequence: number, timestamp: number): number {
    this.#highest = sequence;
    this.#newestTimestamp = timestamp;
    this.#awaited = undefined;
    return sequence;
  }

  #firstExtended(sequence: number): number {
    // One cycle up, so that no earlier number is negative.
    const least = this.#after ? this.#after + MAX_DROPOUT : 0x10000;
    return least + ((sequence - least) & 0xffff);
  }

  #isResent(timestamp: number): boolean {
    const age = (this.#newestTimestamp - timestamp) | 0;
    return age >= 0 && age < MAX_RESENT_AGE_S * this.#clockRate;
  }
}

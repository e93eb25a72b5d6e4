/** A publisher who changes the SSRC all the time would make viewers start anew all the time. */
const MIN_CHANGE_INTERVAL_MS = 2_000;

interface Candidate {
  readonly ssrc: number;
  /** The sequence number that follows its last packet. */
  readonly next: number;
  readonly packet: Buffer;
}

/**
 * Decides when another SSRC takes over an encoding: after two of its packets in sequence, with none of the current
 * SSRC between them (RFC 3550 section 6.2.1 calls this probation), and at most every two seconds.
 */
export class SsrcProbation {
  #candidate: Candidate | undefined;
  #changedAt = -Infinity;

  /** A packet of the current SSRC arrived. */
  onCurrent(): void {
    this.#candidate = undefined;
  }

  /** A packet of another SSRC arrived. @returns the packet before it, if the SSRC takes over now */
  onOther(ssrc: number, sequence: number, packet: Buffer, now: number): Buffer | undefined {
    if (now - this.#changedAt < MIN_CHANGE_INTERVAL_MS) return undefined;
    const before = this.#candidate;
    if (before?.ssrc === ssrc && before.next === sequence) {
      this.#candidate = undefined;
      this.#changedAt = now;
      return before.packet;
    }
    this.#candidate = { ssrc, next: (sequence + 1) & 0xffff, packet };
    return undefined;
  }
}

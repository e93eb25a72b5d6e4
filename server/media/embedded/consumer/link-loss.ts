/** Of packets of 10 ms, ten seconds: browsers report on audio every five. A power of two. */
const REMEMBERED_PACKETS = 1_024;
const MASK = REMEMBERED_PACKETS - 1;
/** Fewer packets say nothing about a rate. */
const MIN_PACKETS = 20;

const NOT_SENT = 0;
const IN_ORDER = 1;
/** After a later packet. */
const LATE = 2;

/**
 * The share of packets that a viewer's own link loses, 0 to 1, by the viewer's reports. What was lost before it came to
 * the server leaves a gap in the sequence numbers too, but it was never sent: it does not count.
 *
 * All sequence numbers are extended, as they are sent.
 */
export class LinkLoss {
  readonly #sent = new Uint8Array(REMEMBERED_PACKETS);
  #newest: number | undefined;
  #reported: { readonly highest: number; readonly lost: number } | undefined;

  onSent(sequence: number): void {
    const newest = this.#newest ?? sequence - 1;
    this.#reported ??= { highest: newest, lost: 0 };
    const from = Math.max(newest + 1, sequence - MASK);
    for (let skipped = from; skipped < sequence; skipped++) this.#sent[skipped & MASK] = NOT_SENT;
    if (sequence > newest - MASK) this.#sent[sequence & MASK] = sequence > newest ? IN_ORDER : LATE;
    this.#newest = Math.max(newest, sequence);
  }

  /**
   * Whether a viewer who misses this packet lost it. A packet that came late to the server may still be under way: the
   * viewer missed it as soon as a later one arrived.
   */
  wasSentInOrder(sequence: number): boolean {
    return this.#isRemembered(sequence) && this.#sent[sequence & MASK] === IN_ORDER;
  }

  /**
   * A receiver report.
   * @param highest that the viewer received
   * @param lost of the viewer, in all
   * @returns the loss since the last report. Undefined: unknown
   */
  onReport(highest: number, lost: number): number | undefined {
    const before = this.#reported;
    if (!before || highest <= before.highest || !this.#isRemembered(highest)) return undefined;
    this.#reported = { highest, lost };
    if (!this.#isRemembered(before.highest + 1)) return undefined;
    let sent = 0;
    for (let sequence = before.highest + 1; sequence <= highest; sequence++) {
      if (this.#sent[sequence & MASK] !== NOT_SENT) sent++;
    }
    const received = highest - before.highest - (lost - before.lost);
    return sent < MIN_PACKETS ? undefined : Math.min(1, Math.max(0, 1 - received / sent));
  }

  #isRemembered(sequence: number): boolean {
    return this.#newest !== undefined && sequence > this.#newest - REMEMBERED_PACKETS && sequence <= this.#newest;
  }
}

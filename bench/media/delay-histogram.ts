const BINS_PER_MS = 10;
const MOST_MS = 5_000;

/** `[bin, packets]` of each bin that has packets: small, and can be sent to another process. */
export type DelayCounts = readonly (readonly [bin: number, packets: number])[];

/** How many packets were delayed for how long, by tenths of a millisecond. */
export class DelayHistogram {
  readonly #bins = new Uint32Array(MOST_MS * BINS_PER_MS);
  #packets = 0;

  get packets(): number {
    return this.#packets;
  }

  add(delayMs: number): void {
    this.#count(Math.min(this.#bins.length - 1, Math.max(0, Math.floor(delayMs * BINS_PER_MS))), 1);
  }

  addAll(counts: DelayCounts): void {
    for (const [bin, packets] of counts) this.#count(bin, packets);
  }

  clear(): void {
    this.#bins.fill(0);
    this.#packets = 0;
  }

  /** In ms: the delay that this share of the packets does not exceed. 0 without packets. */
  atMost(share: number): number {
    let seen = 0;
    const bin = this.#bins.findIndex((packets) => (seen += packets) >= share * this.#packets);
    return this.#packets ? (bin + 1) / BINS_PER_MS : 0;
  }

  counts(): DelayCounts {
    return [...this.#bins.entries()].filter(([, packets]) => packets > 0);
  }

  #count(bin: number, packets: number): void {
    this.#bins[bin]! += packets;
    this.#packets += packets;
  }
}

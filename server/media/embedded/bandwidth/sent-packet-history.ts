const REMEMBERED = 1_024;
/** The least that the bitrate is measured over. */
const SHORTEST_MS = 200;
/** What was measured this long ago says nothing of now. */
const OLD_MS = 2_000;

/** What was sent lately over one transport: numbered for its receiver to report on, and remembered until it does. */
export class SentPacketHistory {
  readonly #times = new Float64Array(REMEMBERED);
  /** 0: nothing is there, or it was reported as come. */
  readonly #bytes = new Uint16Array(REMEMBERED);
  #next = 0;
  /** Since the last measurement. */
  #unmeasured = 0;
  #measuredAt = -Infinity;
  #bitrate = 0;

  /** bit/s, numbered or not, as of the last measurement. */
  get bitrate(): number {
    return this.#bitrate;
  }

  /** It is not waited for. */
  countUnnumbered(bytes: number): void {
    this.#unmeasured += bytes;
  }

  measure(now: number): void {
    const ms = now - this.#measuredAt;
    if (ms < SHORTEST_MS) return;
    const bitrate = (this.#unmeasured * 8_000) / ms;
    this.#bitrate = ms > OLD_MS ? bitrate : (this.#bitrate + bitrate) / 2;
    this.#unmeasured = 0;
    this.#measuredAt = now;
  }

  /** Answers the transport-wide sequence number. */
  add(bytes: number, now: number): number {
    const sequence = this.#next;
    this.#times[sequence % REMEMBERED] = now;
    this.#bytes[sequence % REMEMBERED] = bytes;
    this.countUnnumbered(bytes);
    this.#next = (sequence + 1) & 0xffff;
    return sequence;
  }

  /** How long the packet was; 0: it is not waited for. */
  bytes(sequence: number): number {
    const back = (this.#next - sequence) & 0xffff;
    return back > 0 && back <= REMEMBERED ? this.#bytes[sequence % REMEMBERED]! : 0;
  }

  sentAt(sequence: number): number {
    return this.#times[sequence % REMEMBERED]!;
  }

  /** It came, and is not waited for any more. */
  acknowledge(sequence: number): void {
    this.#bytes[sequence % REMEMBERED] = 0;
  }
}

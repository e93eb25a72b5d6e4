const REMEMBERED_PACKETS = 1_024;
const MIN_INTERVAL_MS = 200;
/** After a longer interval, the previous bitrate no longer predicts the current one. */
const OLD_MS = 2_000;

/**
 * The packets recently sent over one transport: their transport-wide sequence numbers, sizes and send times. All
 * m-lines of a transport share one counter (draft-holmer-rmcat-transport-wide-cc-extensions-01 section 2).
 */
export class SentPacketHistory {
  /** Empty before the first packet: a viewer without transport feedback has none. So of `#bytes`. */
  #times = new Float64Array(0);
  /** 0: no packet, or its arrival was reported. */
  #bytes = new Uint16Array(0);
  #next: number;
  /** Bytes since the last measurement. */
  #unmeasured = 0;
  #measuredAt = -Infinity;
  #bitrate = 0;

  /** @param next the first sequence number */
  constructor(next = 0) {
    this.#next = next;
  }

  /** The transport-wide sequence number that `add` gives to the next packet. */
  get next(): number {
    return this.#next;
  }

  /** bit/s of all packets, numbered or not, at the last measurement. */
  get bitrate(): number {
    return this.#bitrate;
  }

  /** Counts a packet without a sequence number. */
  countUnnumbered(bytes: number): void {
    this.#unmeasured += bytes;
  }

  measure(now: number): void {
    const ms = now - this.#measuredAt;
    if (ms < MIN_INTERVAL_MS) return;
    const bitrate = (this.#unmeasured * 8_000) / ms;
    this.#bitrate = ms > OLD_MS ? bitrate : (this.#bitrate + bitrate) / 2;
    this.#unmeasured = 0;
    this.#measuredAt = now;
  }

  /** @returns the transport-wide sequence number of the packet */
  add(bytes: number, now: number): number {
    const sequence = this.#next;
    if (this.#times.length === 0) {
      this.#times = new Float64Array(REMEMBERED_PACKETS);
      this.#bytes = new Uint16Array(REMEMBERED_PACKETS);
    }
    this.#times[sequence % REMEMBERED_PACKETS] = now;
    this.#bytes[sequence % REMEMBERED_PACKETS] = bytes;
    this.countUnnumbered(bytes);
    this.#next = (sequence + 1) & 0xffff;
    return sequence;
  }

  /** The size of the packet; 0: it is unknown, or its arrival was reported. */
  bytes(sequence: number): number {
    const back = (this.#next - sequence) & 0xffff;
    return back > 0 && back <= REMEMBERED_PACKETS ? (this.#bytes[sequence % REMEMBERED_PACKETS] ?? 0) : 0;
  }

  sentAt(sequence: number): number {
    return this.#times[sequence % REMEMBERED_PACKETS]!;
  }

  /** The packet's arrival was reported. */
  acknowledge(sequence: number): void {
    this.#bytes[sequence % REMEMBERED_PACKETS] = 0;
  }
}

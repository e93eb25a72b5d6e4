const REMEMBERED = 1_024;

/** What was sent lately over one transport: numbered for its receiver to report on, and remembered until it does. */
export class SentPackets {
  readonly #times = new Float64Array(REMEMBERED);
  /** 0: nothing is there, or it was reported as come. */
  readonly #bytes = new Uint16Array(REMEMBERED);
  #next = 0;
  #total = 0;

  /** Of all that was ever sent. */
  get totalBytes(): number {
    return this.#total;
  }

  /** It is not waited for. */
  count(bytes: number): void {
    this.#total += bytes;
  }

  /** Answers the transport-wide sequence number. */
  add(bytes: number, now: number): number {
    const sequence = this.#next;
    this.#times[sequence % REMEMBERED] = now;
    this.#bytes[sequence % REMEMBERED] = bytes;
    this.count(bytes);
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
  settle(sequence: number): void {
    this.#bytes[sequence % REMEMBERED] = 0;
  }
}

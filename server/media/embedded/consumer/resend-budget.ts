/** Of a full packet. */
const PACKET_BYTES = 1_200;
/** What the network carries in this time may be resent at once. */
const MAX_SAVED_MS = 500;
/** An estimate can be too low: more than this is not owed, in ms of what the network carries. */
const MAX_OWED_MS = 250;
/** The part of what is sent that may always be resent, … */
const LEAST_PART = 0.2;
/** … and how much of it at once. */
const MAX_LEAST_BYTES = 10 * PACKET_BYTES;

/**
 * How many packets may be resent to a viewer: as many as the network carries beyond what is sent, and a fifth of what is
 * sent at least. Without a limit, a link that was full for a moment stays full: its queue drops packets, the viewer
 * asks for them, and what is resent keeps the queue long.
 *
 *     budget.onSent(packet.length);                       // each packet of any kind
 *     most = budget.packets(bitsPerSecond, now);
 *     budget.onResent(packets);
 */
export class ResendBudget {
  /** In bytes. Negative: owed. */
  #beyond = MAX_LEAST_BYTES;
  #least = MAX_LEAST_BYTES;
  /** Bytes since the last call of `packets`. */
  #sent = 0;
  #at: number | undefined;

  onSent(bytes: number): void {
    this.#sent += bytes;
  }

  /** @param carried what the network carries, in bit/s */
  packets(carried: number, now: number): number {
    const bytesPerMs = carried / 8_000;
    const beyond = this.#beyond + bytesPerMs * (now - (this.#at ?? now)) - this.#sent;
    this.#beyond = Math.min(bytesPerMs * MAX_SAVED_MS, Math.max(-bytesPerMs * MAX_OWED_MS, beyond));
    this.#least = Math.min(MAX_LEAST_BYTES, this.#least + LEAST_PART * this.#sent);
    this.#sent = 0;
    this.#at = now;
    return Math.ceil(Math.max(0, this.#beyond, this.#least) / PACKET_BYTES);
  }

  onResent(packets: number): void {
    this.#least -= packets * PACKET_BYTES;
  }
}

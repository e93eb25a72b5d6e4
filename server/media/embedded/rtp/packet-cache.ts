import { sequenceNumber } from './packet.js';

/** The last packets sent, to send again: one place for every sequence number modulo the size. */
export class PacketCache {
  readonly #slots: (Buffer | undefined)[];
  readonly #mask: number;

  /** @param size how many packets; a power of two */
  constructor(size: number) {
    this.#slots = Array.from({ length: size });
    this.#mask = size - 1;
  }

  /** Keeps the buffer itself: from now on its owner may change nothing but the payload type. */
  add(packet: Buffer): void {
    this.#slots[sequenceNumber(packet) & this.#mask] = packet;
  }

  find(sequence: number): Buffer | undefined {
    const packet = this.#slots[sequence & this.#mask];
    return packet && sequenceNumber(packet) === sequence ? packet : undefined;
  }

  clear(): void {
    this.#slots.fill(undefined);
  }
}

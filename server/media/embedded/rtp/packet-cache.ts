import { sequenceNumber } from './packet.js';

/** Recent packets by sequence number, in an array indexed modulo its size. */
export class PacketCache {
  readonly #slots: (Buffer | undefined)[];
  readonly #mask: number;

  /** @param size number of packets, a power of two */
  constructor(size: number) {
    this.#slots = Array.from({ length: size });
    this.#mask = size - 1;
  }

  /** Keeps the buffer itself, so it must not change any more. */
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

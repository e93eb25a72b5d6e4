import type { FedPacket } from '../producer/fed-source.js';
import { packetFrameBytes, writePacketFrame } from './relay-frames.js';

const BUFFER_BYTES = 64 << 10;
/** Buffers that are kept for the next batches: 4 MB. */
const MAX_FREE = 64;

/** Shared by all connections of this process. */
const free: Buffer[] = [];

/**
 * Frames that are written together. They are copied into buffers that are used again as soon as the system has taken
 * them. With a new buffer for each packet, twenty recorded streams were 25 MB of garbage a second, which V8 frees only
 * in a full collection: twice a second, and each delayed a frame to all viewers by 5 to 15 ms.
 */
export class FrameBatch {
  readonly #full: Buffer[] = [];
  #buffer: Buffer | undefined;
  #used = 0;
  #bytes = 0;

  /** Of all frames that were added since `take()`. */
  get bytes(): number {
    return this.#bytes;
  }

  add(frame: Buffer): void {
    frame.copy(this.#reserve(frame.length));
  }

  addPacket(source: number, encoding: number, packet: FedPacket): void {
    writePacketFrame(this.#reserve(packetFrameBytes(packet)), source, encoding, packet);
  }

  /** What is to be written, in order. The batch is empty afterwards. Pass each to `recycle` when it is written. */
  take(): readonly Buffer[] {
    this.#closeBuffer();
    this.#bytes = 0;
    return this.#full.splice(0);
  }

  #reserve(length: number): Buffer {
    if (this.#buffer && length > this.#buffer.length - this.#used) this.#closeBuffer();
    // No packet is larger than a buffer, but a message can be.
    this.#buffer ??= (length <= BUFFER_BYTES ? free.pop() : undefined) ?? newBuffer(length);
    const reserved = this.#buffer.subarray(this.#used, this.#used + length);
    this.#used += length;
    this.#bytes += length;
    return reserved;
  }

  #closeBuffer(): void {
    if (this.#buffer) this.#full.push(this.#buffer.subarray(0, this.#used));
    this.#buffer = undefined;
    this.#used = 0;
  }
}

const newBuffer = (length: number): Buffer => Buffer.allocUnsafeSlow(Math.max(BUFFER_BYTES, length));

/** Nobody reads these bytes of a batch any more. */
export function recycle({ buffer }: Buffer): void {
  if (buffer.byteLength === BUFFER_BYTES && free.length < MAX_FREE) free.push(Buffer.from(buffer));
}

import type { FedPacket } from '../producer/fed-source.js';
import { FrameBatch, recycle } from './frame-batch.js';
import { packetFrameBytes, type RelayFrameListener, RelayFrameReader } from './relay-frames.js';

/** About a dozen packets. A message of which a part is lost waits until that part is sent again. */
const MAX_MESSAGE_BYTES = 16 << 10;

/**
 * Gathers the packets of an encoding that are sent in one turn of the event loop, which are mostly of one frame, into one
 * message: the other end is called once for them, and forwards them together. Packets of different encodings are never in
 * one message: sound would wait for video.
 */
export class PacketMessages {
  readonly #send: (message: Buffer) => void;
  readonly #batch = new FrameBatch();
  #source = 0;
  #encoding = 0;

  /** @param send the message is valid until it returns */
  constructor(send: (message: Buffer) => void) {
    this.#send = send;
  }

  /** Of the packets that have not been sent yet. */
  get bytes(): number {
    return this.#batch.bytes;
  }

  add(source: number, encoding: number, packet: FedPacket): void {
    const isOther = source !== this.#source || encoding !== this.#encoding;
    if (isOther || this.#batch.bytes + packetFrameBytes(packet) > MAX_MESSAGE_BYTES) this.#flush();
    this.#source = source;
    this.#encoding = encoding;
    if (!this.#batch.bytes) queueMicrotask(() => this.#flush());
    this.#batch.addPacket(source, encoding, packet);
  }

  #flush(): void {
    for (const message of this.#batch.take()) {
      this.#send(message);
      recycle(message);
    }
  }
}

/**
 * Passes the packets of a message on. `arrivedAt` is now: the clocks of two machines cannot be compared.
 * @throws {Error} on a message of another form
 */
export function readPackets(message: Buffer, onPacket: RelayFrameListener['onPacket']): void {
  const arrivedAt = performance.now();
  const frames = new RelayFrameReader({
    onMessage() {
      throw new RangeError('a message among packets');
    },
    onPacket: (source, encoding, packet) => onPacket(source, encoding, { ...packet, arrivedAt }),
  });
  frames.read(message);
  if (frames.isWithinFrame) throw new RangeError('a frame is not complete');
}

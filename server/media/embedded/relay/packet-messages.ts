import { contain } from '../../../faults/contain.js';
import { after } from '../../../faults/timers.js';
import type { FedPacket } from '../producer/fed-source.js';
import { FrameBatch, recycle } from './frame-batch.js';
import { packetFrameBytes, type RelayFrameListener, RelayFrameReader } from './relay-frames.js';

/** About a dozen packets. A message of which a part is lost waits until that part is sent again. */
const MAX_MESSAGE_BYTES = 16 << 10;
/** How long the first packets of a frame wait for the last one. */
const GATHER_MS = 2;

/**
 * Gathers the packets of a frame into one message, if they come within 2 ms: the other end is called once for them, and
 * forwards them together. Packets of different encodings are never in one message: sound would wait for video.
 */
export class PacketMessages {
  readonly #send: (message: Buffer) => void;
  readonly #batch = new FrameBatch();
  #source = 0;
  #encoding = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param send the message is valid until it returns */
  constructor(send: (message: Buffer) => void) {
    this.#send = send;
  }

  /** Of the packets that have not been sent yet. */
  get bytes(): number {
    return this.#batch.bytes;
  }

  /** @param moreFollow others of the frame. The last one is sent at the end of this turn of the event loop */
  add(source: number, encoding: number, packet: FedPacket, moreFollow: boolean): void {
    const isOther = source !== this.#source || encoding !== this.#encoding;
    if (isOther || this.#batch.bytes + packetFrameBytes(packet) > MAX_MESSAGE_BYTES) this.#flush();
    this.#source = source;
    this.#encoding = encoding;
    this.#batch.addPacket(source, encoding, packet);
    if (moreFollow) this.#timer ??= after('media', GATHER_MS, () => this.#flush());
    else queueMicrotask(contain('media', () => this.#flush()));
  }

  /** Drops what has not been sent. */
  close(): void {
    clearTimeout(this.#timer);
    this.#batch.take().forEach(recycle);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
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

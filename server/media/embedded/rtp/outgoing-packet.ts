import type { ExtensionBlock } from './header-extensions.js';
import { payloadStart } from './packet.js';

/** Room for a header with its CSRCs and the longest header extensions we write. */
const HEADROOM = 640;
const USUAL_PACKET = 1_500;
const EXTENSION_BIT = 0x10;

/**
 * A packet on its way to many receivers, each of whom gets header extensions of its own. The payload is copied once;
 * for each receiver only the header is written in front of it. One is enough for a process:
 *
 *     outgoing.load(packet);
 *     for (const viewer of viewers) {
 *       viewer.extensions.stamp(viewer.transport.nextSequence(), now);
 *       const written = outgoing.written(viewer.extensions);
 *       setPayloadType(written, viewer.payloadType);
 *       viewer.sink.send(written);
 *     }
 */
export class OutgoingPacket {
  #bytes = Buffer.allocUnsafeSlow(HEADROOM + USUAL_PACKET);
  readonly #header = new Uint8Array(12 + 15 * 4);
  #headerLength = 0;
  #end = HEADROOM;
  /** Receivers whose extensions are as long as those before get the same view. */
  #view: Buffer | undefined;
  #viewExtensions = -1;

  /** @param packet valid RTP without a header extension; it is only read */
  load(packet: Buffer): void {
    const header = payloadStart(packet);
    const length = packet.length - header;
    if (HEADROOM + length > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(HEADROOM + 2 * length);
    for (let at = 0; at < header; at++) this.#header[at] = packet[at]!;
    packet.copy(this.#bytes, HEADROOM, header);
    this.#headerLength = header;
    this.#end = HEADROOM + length;
    this.#viewExtensions = -1;
  }

  /**
   * The loaded packet with these extensions, `undefined`: with none. It holds until the next call and may be changed
   * until then: the next one begins with the packet as it was loaded.
   */
  written(extensions: ExtensionBlock | undefined): Buffer {
    const block = extensions?.bytes;
    const length = block?.length ?? 0;
    const start = HEADROOM - length - this.#headerLength;
    if (this.#viewExtensions !== length || !this.#view) {
      this.#view = this.#bytes.subarray(start, this.#end);
      this.#viewExtensions = length;
    }
    // Byte by byte: these are few, and a call into the runtime costs more.
    const view = this.#view;
    for (let at = 0; at < this.#headerLength; at++) view[at] = this.#header[at]!;
    for (let at = 0; at < length; at++) view[this.#headerLength + at] = block![at]!;
    if (length) view[0]! |= EXTENSION_BIT;
    return view;
  }
}

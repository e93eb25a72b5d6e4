import type { ExtensionBlock } from './extension-block.js';
import { fixedHeaderEnd, payloadStart } from './packet.js';

/** Room for a header with all CSRCs and the longest header extensions. */
const HEADROOM = 640;
const USUAL_PAYLOAD = 1_500;
const EXTENSION_BIT = 0x10;

/**
 * Writes one packet for many receivers with different header extensions. The payload is copied once; for each receiver
 * only the header is written in front of it.
 *
 *     outgoing.load(packet);
 *     for (const receiver of receivers) {
 *       receiver.extensions.stamp(receiver.nextTransportSequence(), now);
 *       const written = outgoing.written(receiver.extensions);
 *       setPayloadType(written, receiver.payloadType);
 *       receiver.send(written);
 *     }
 */
export class OutgoingPacket {
  #bytes = Buffer.allocUnsafeSlow(HEADROOM + USUAL_PAYLOAD);
  readonly #header = new Uint8Array(12 + 15 * 4);
  #headerLength = 0;
  #end = HEADROOM;
  /** Reused for the next receiver if its extensions have the same length. */
  #view: Buffer | undefined;
  #viewExtensionsLength = -1;

  /** Of the loaded packet, without extensions. */
  get length(): number {
    return this.#headerLength + this.#end - HEADROOM;
  }

  /** @param packet valid RTP; it is not changed. Its header extensions are left out */
  load(packet: Buffer): void {
    const header = fixedHeaderEnd(packet);
    const payloadAt = payloadStart(packet);
    const length = packet.length - payloadAt;
    if (HEADROOM + length > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(HEADROOM + 2 * length);
    for (let at = 0; at < header; at++) this.#header[at] = packet[at]!;
    this.#header[0]! &= ~EXTENSION_BIT;
    packet.copy(this.#bytes, HEADROOM, payloadAt);
    this.#headerLength = header;
    this.#end = HEADROOM + length;
    this.#viewExtensionsLength = -1;
  }

  /**
   * The loaded packet with these extensions; `undefined`: without any. The result is valid until the next call, and its
   * header may be changed: the next call starts from the loaded header again.
   */
  written(extensions: ExtensionBlock | undefined): Buffer {
    const block = extensions?.bytes;
    const length = extensions?.length ?? 0;
    const start = HEADROOM - length - this.#headerLength;
    if (this.#viewExtensionsLength !== length || !this.#view) {
      this.#view = this.#bytes.subarray(start, this.#end);
      this.#viewExtensionsLength = length;
    }
    // Byte by byte, because a call into the runtime costs more for so few bytes.
    const view = this.#view;
    for (let at = 0; at < this.#headerLength; at++) view[at] = this.#header[at]!;
    for (let at = 0; at < length; at++) view[this.#headerLength + at] = block![at]!;
    if (length) view[0]! |= EXTENSION_BIT;
    return view;
  }
}

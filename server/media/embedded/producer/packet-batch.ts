import { OutgoingPacket } from '../rtp/outgoing-packet.js';
import { emptyMediaPacket, type MediaPacket } from './media-packet.js';

const MAX_PACKETS = 16;
/** To all sinks together, some ms of work: what arrived in between is forwarded before the others. */
const MAX_SENDS = 2_048;

/**
 * The packets of an encoding that arrived in one turn of the event loop. They are sent sink by sink: what a sink needs is
 * in the processor's cache for all of its packets but the first.
 *
 *     const media = batch.next();                                       // read the packet into it
 *     if (batch.add(media, sinks.length, now)) …flush
 *     batch.flush((packets, times) => …);                               // at the end of the turn, or when it is full
 */
export class PacketBatch {
  readonly #spare: MediaPacket[] = [];
  #packets: MediaPacket[] = [];
  /** When they arrived. */
  #times: number[] = [];

  /** An object to read the next packet into. */
  next(): MediaPacket {
    return this.#spare.pop() ?? emptyMediaPacket(new OutgoingPacket());
  }

  /** @returns whether the batch is full, for so many sinks */
  add(media: MediaPacket, sinks: number, now: number): boolean {
    media.outgoing.load(media.packet);
    this.#packets.push(media);
    this.#times.push(now);
    return this.#packets.length >= Math.min(MAX_PACKETS, MAX_SENDS / sinks);
  }

  /** @param send is not called for an empty batch. A flush within it finds none of its packets */
  flush(send: (packets: readonly MediaPacket[], times: readonly number[]) => void): void {
    const [packets, times] = [this.#packets, this.#times];
    if (!packets.length) return;
    this.#packets = [];
    this.#times = [];
    send(packets, times);
    this.#spare.push(...packets);
  }
}

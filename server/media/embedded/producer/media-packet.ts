import type { OutgoingPacket } from '../rtp/outgoing-packet.js';
import { emptyPayloadInfo, type PayloadInfo } from '../rtp/payload-info.js';

/**
 * A packet of an encoding, parsed. One object serves many packets, because it is read for every packet and receiver.
 */
export interface MediaPacket {
  /** The source's sequence number, extended: it never wraps. */
  sequence: number;
  timestamp: number;
  packet: Buffer;
  /** When the packet came to this machine, as early as it may have been, by `performance.now()`. */
  arrivedAt: number;
  /** Players do not get it: it waited too long in front of this process. */
  isShed: boolean;
  /** Offset of the payload in the packet. */
  payloadAt: number;
  readonly payload: PayloadInfo;
  /** Writes the packet for each receiver. Packets share it, so `load` a packet before use. */
  readonly outgoing: OutgoingPacket;
}

/** A new sink gets the newest keyframe, and the packets after it, if these limits allow. */
export interface StartBurst {
  /** Of the keyframe. */
  readonly maxAgeMs: number;
  readonly maxPackets: number;
}

/** What a player catches up with. A longer burst would be lost on its way. */
export const PLAYER_BURST: StartBurst = { maxAgeMs: 350, maxPackets: 160 };

export function emptyMediaPacket(outgoing: OutgoingPacket): MediaPacket {
  return {
    sequence: 0,
    timestamp: 0,
    packet: Buffer.alloc(0),
    arrivedAt: 0,
    isShed: false,
    payloadAt: 0,
    payload: emptyPayloadInfo(),
    outgoing,
  };
}

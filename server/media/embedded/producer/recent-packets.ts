import type { TrackKind } from '../../engine/media-track.js';
import { PacketCache } from '../rtp/packet-cache.js';
import { timestamp } from '../rtp/packet.js';
import type { StartBurst } from './media-packet.js';

const CACHED: Readonly<Record<TrackKind, number>> = {
  video: 1_024,
  /** More than half a second of packets of 10 ms. */
  audio: 64,
};
/** Older sound, in units of its timestamp, comes after its playout time: half a second. */
const MAX_AUDIO_AGE = 24_000;

/** The recent packets of an encoding: for retransmission, and for sinks that start. Sequence numbers are extended. */
export class RecentPackets {
  readonly #kind: TrackKind;
  readonly #cache: PacketCache;
  /** The first packet of the newest keyframe, and when it arrived. */
  #keyframe = { sequence: 0, at: -Infinity };
  #newest = 0;

  constructor(kind: TrackKind) {
    this.#kind = kind;
    this.#cache = new PacketCache(CACHED[kind]);
  }

  /** Older packets are forgotten. */
  get oldest(): number {
    return this.#newest - CACHED.video;
  }

  /**
   * Keeps the buffer itself, so it must not change any more.
   * @returns whether the sequence jumped ahead of all that is known, which is forgotten: the publisher may have restarted
   */
  add(packet: Buffer, sequence: number): boolean {
    const isJump = this.#newest > 0 && sequence - this.#newest > CACHED.video;
    // A number of 16 bits may be that of a packet from before.
    if (isJump) this.#cache.clear();
    this.#newest = Math.max(this.#newest, sequence);
    this.#cache.add(packet);
    return isJump;
  }

  /** A keyframe begins with this packet. */
  beginKeyframe(sequence: number, now: number): void {
    this.#keyframe = { sequence, at: now };
  }

  find(sequence: number): Buffer | undefined {
    return this.#cache.find(sequence & 0xffff);
  }

  /** Whether it would come after its playout time. @param current the timestamp of a packet that arrived now */
  isTooOld(packet: Buffer, current: number): boolean {
    return this.#kind === 'audio' && ((current - timestamp(packet)) | 0) > MAX_AUDIO_AGE;
  }

  /**
   * The packets from the newest keyframe on.
   * @returns undefined: it is too old, or a packet since then is missing
   */
  sinceKeyframe({ maxAgeMs, maxPackets }: StartBurst, now: number): { first: number; packets: Buffer[] } | undefined {
    const { sequence: first, at } = this.#keyframe;
    if (now - at > maxAgeMs || this.#newest - first >= maxPackets) return undefined;
    const packets: Buffer[] = [];
    for (let sequence = first; sequence <= this.#newest; sequence++) {
      const packet = this.find(sequence);
      if (!packet) return undefined;
      packets.push(packet);
    }
    return { first, packets };
  }
}

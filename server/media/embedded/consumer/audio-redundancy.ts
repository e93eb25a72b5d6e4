import type { MediaPacket } from '../producer/media-packet.js';
import { OutgoingPacket } from '../rtp/outgoing-packet.js';
import { payloadEnd, payloadStart, timestamp } from '../rtp/packet.js';
import { MAX_BLOCK_BYTES, MAX_TIMESTAMP_OFFSET, packRedundancy, type RedundantBlock } from '../rtp/redundant-audio.js';
import { LinkLoss } from './link-loss.js';

/** With this loss, each packet carries the one before it; with the second, the two before it. */
const LOSS_FOR_ONE = 0.01;
const LOSS_FOR_TWO = 0.05;
/** The last report counts so much. More loss counts at once, and less by and by. */
const DECAY = 0.5;
/**
 * NACKs are faster than reports, which come every five seconds. Requests are counted as if so many packets had been sent
 * since the last report: two lost packets do not make a bad link.
 */
const MIN_SAMPLE = 250;
const MAX_BLOCKS = 8;
/** Leaves room for headers in any network. */
const MAX_BYTES = 1_100;
/** How many packets back it is known what each one carried. A power of two. */
const REMEMBERED_PACKETS = 64;
const MASK = REMEMBERED_PACKETS - 1;

export interface AudioRedundancyOptions {
  /** The viewer's payload type of Opus. */
  readonly format: number;
  /** A recent packet, by the source's extended sequence number. */
  readonly find: (sequence: number) => Buffer | undefined;
}

/**
 * What one viewer's audio packets carry of earlier packets (RFC 2198): nothing while the viewer's link is good, some
 * while it loses packets, and those that the viewer requests. A requested packet is never sent again by itself, because
 * SRTP forbids two packets of one sequence number that differ.
 */
export class AudioRedundancy {
  readonly #options: AudioRedundancyOptions;
  readonly #outgoing = new OutgoingPacket();
  readonly #link = new LinkLoss();
  /** How many earlier packets each packet carried, by its sequence number as it was sent. */
  readonly #carried = new Uint8Array(REMEMBERED_PACKETS);
  /** Requested packets, by the source's sequence number. */
  readonly #requested = new Set<number>();
  #first = 0;
  #loss = 0;
  #sentSinceReport = 0;
  #requestedSinceReport = 0;

  constructor(options: AudioRedundancyOptions) {
    this.#options = options;
  }

  /** How many earlier packets each packet carries. */
  get depth(): 0 | 1 | 2 {
    return this.#loss >= LOSS_FOR_TWO ? 2 : this.#loss >= LOSS_FOR_ONE ? 1 : 0;
  }

  /** Packets before this one are of another source, or of another time. @param first the source's sequence number */
  start(first: number): void {
    this.#first = first;
    this.#requested.clear();
  }

  /**
   * @param sequence as it is sent
   * @returns the packet with redundancy, valid until the next call. Undefined: it carries none
   */
  packetFor(media: MediaPacket, sequence: number): OutgoingPacket | undefined {
    this.#link.onSent(sequence);
    this.#sentSinceReport++;
    const { depth } = this;
    this.#carried[sequence & MASK] = depth;
    if (!depth && !this.#requested.size) return undefined;
    const blocks = this.#blocks(media, depth);
    if (!blocks.length) return undefined;
    this.#outgoing.load(packRedundancy(media.packet, this.#options.format, blocks));
    return this.#outgoing;
  }

  /** @param highest and `lost` as in `LinkLoss` */
  onReport(highest: number, lost: number): void {
    const loss = this.#link.onReport(highest, lost);
    if (loss === undefined) return;
    this.#loss = Math.max(loss, DECAY * this.#loss);
    this.#sentSinceReport = this.#requestedSinceReport = 0;
  }

  /**
   * The viewer misses these packets. Each one is carried by the next packet, unless the viewer has it from another one.
   * @param sequences as they were sent, extended
   * @param originalOf the source's sequence number. Undefined: it is not remembered
   * @returns how many will be carried
   */
  request(sequences: readonly number[], originalOf: (sequence: number) => number | undefined): number {
    const missing = new Set(sequences);
    let accepted = 0;
    for (const sequence of missing) {
      if (!this.#link.wasSentInOrder(sequence)) continue;
      this.#requestedSinceReport++;
      const original = originalOf(sequence);
      if (original === undefined || original < this.#first || this.#isCarried(sequence, missing)) continue;
      if (this.#requested.size >= MAX_BLOCKS) break;
      this.#requested.add(original);
      accepted++;
    }
    this.#loss = Math.max(this.#loss, this.#requestedSinceReport / Math.max(MIN_SAMPLE, this.#sentSinceReport));
    return accepted;
  }

  /** Whether the first packet after this one that is not missing carried it. */
  #isCarried(sequence: number, missing: ReadonlySet<number>): boolean {
    let next = sequence + 1;
    while (missing.has(next)) next++;
    return this.#link.wasSentInOrder(next) && this.#carried[next & MASK]! >= next - sequence;
  }

  /** Oldest first. */
  #blocks(media: MediaPacket, depth: number): readonly RedundantBlock[] {
    const wanted = new Set(this.#requested);
    for (let back = 1; back <= depth; back++) wanted.add(media.sequence - back);
    this.#requested.clear();
    const blocks: RedundantBlock[] = [];
    let bytes = media.packet.length;
    // The newest first, because those are the most likely to arrive in time.
    for (const sequence of [...wanted].sort((a, b) => b - a).slice(0, MAX_BLOCKS)) {
      const packet = sequence >= this.#first && sequence < media.sequence ? this.#options.find(sequence) : undefined;
      const block = packet && blockOf(packet, media.timestamp);
      if (!block || bytes + block.payload.length > MAX_BYTES) continue;
      bytes += block.payload.length;
      blocks.unshift(block);
    }
    return blocks;
  }
}

/** Undefined: it cannot be carried, because it is too old or too long. */
function blockOf(packet: Buffer, now: number): RedundantBlock | undefined {
  const timestampOffset = (now - timestamp(packet)) >>> 0;
  const payload = packet.subarray(payloadStart(packet), payloadEnd(packet));
  const fits = payload.length > 0 && payload.length <= MAX_BLOCK_BYTES;
  return fits && timestampOffset > 0 && timestampOffset <= MAX_TIMESTAMP_OFFSET
    ? { timestampOffset, payload }
    : undefined;
}

/** So many bytes of a frame are sent at once: some ten packets to each sink, … */
const BURST_BYTES = 12_000;
/** … and about a thousand packets to all of them. */
const BURST_BYTES_OF_ALL = 1_200_000;
/** What sending a packet to one sink takes at most, in ms. The packets that arrive meanwhile seem to come later. */
const SENDING_MS = 0.02;
/** As in GCC's pacer (draft-ietf-rmcat-gcc-02 section 4): a multiple of what the network carries. */
const PACING_FACTOR = 2.5;
/** No packet waits for longer: the next frame follows. */
const MAX_WAIT_MS = 50;
/** Packets at once to all sinks together, some ms of work: what arrived in between is forwarded before the others. */
const MAX_SENDS = 256;
/** Of an encoding that was not measured yet, bit/s. */
const MIN_BITRATE = 300_000;

/** What a sink allows. */
export interface PacedSink {
  /** What the sink's network carries, in bit/s. Infinity: unknown. Absent: its packets are never delayed. */
  readonly networkBitrate?: number | undefined;
  /** A frame begins that the sink receives bit by bit. */
  onLargeFrame?(now: number): void;
}

/** A packet that sinks have not received yet. */
export interface HeldPacket {
  readonly packet: Buffer;
  /** Extended. */
  readonly sequence: number;
  readonly isShed: boolean;
  readonly spatialId: number;
  readonly temporalId: number;
}

/** `idle`: nothing is held. `later`: more is due in some ms. `now`: more is due, after what arrived in between. */
export type PacingState = 'idle' | 'later' | 'now';

interface Entry extends HeldPacket {
  readonly at: number;
  /** The bytes of all packets before it. */
  readonly offset: number;
}

interface Cursor {
  /** Of the next packet. */
  index: number;
  readonly since: number;
  /** Of the first packet. */
  readonly offset: number;
}

/**
 * Spreads a large frame that arrives at once over some tens of ms: over time for each viewer, at 2.5 times what the
 * network carries, and over viewers. Without it, a keyframe of 60 packets to 400 viewers were 24,000 packets in one go,
 * and sound would wait for all of them. It has no clock and no timer.
 *
 *     if (pacer.isActive || (isKeyframe && pacer.isBurst(packet.length, bitrate, sinks.length, now))) {
 *       if (!pacer.isActive) pacer.start(sinks, now);
 *       pacer.add(held, now);                                        // each packet, while active
 *     }
 *     caughtUp = pacer.advance(now, (held, sinks) => …);             // every few ms, as `state` says
 */
export class FramePacer<Sink extends PacedSink> {
  #entries: Entry[] = [];
  /** The index of the first entry. */
  #first = 0;
  #bytes = 0;
  readonly #cursors = new Map<Sink, Cursor>();
  #burst = { level: 0, at: -Infinity };
  #isCut = false;

  /** Whether sinks wait for packets: then they must receive all packets through the pacer. */
  get isActive(): boolean {
    return this.#cursors.size > 0;
  }

  get state(): PacingState {
    return !this.isActive ? 'idle' : this.#isCut ? 'now' : 'later';
  }

  get sinks(): Iterable<Sink> {
    return this.#cursors.keys();
  }

  has(sink: Sink): boolean {
    return this.#cursors.has(sink);
  }

  /**
   * Counts a packet, as a leaky bucket.
   * @param bitrate of the encoding
   * @param sinks how many receive it
   * @returns whether more came at once than may be sent at once
   */
  isBurst(bytes: number, bitrate: number, sinks: number, now: number): boolean {
    const elapsed = Math.max(0, now - this.#burst.at - sinks * SENDING_MS);
    const drained = (PACING_FACTOR * Math.max(MIN_BITRATE, bitrate) * elapsed) / 8_000;
    this.#burst.level = Math.max(0, this.#burst.level - drained) + bytes;
    this.#burst.at = now;
    return this.#burst.level > Math.min(BURST_BYTES, BURST_BYTES_OF_ALL / sinks);
  }

  /** These sinks receive the next packets through the pacer, until they caught up. */
  start(sinks: Iterable<Sink>, now: number): void {
    for (const sink of sinks) {
      this.#cursors.set(sink, { index: this.#first + this.#entries.length, since: now, offset: this.#bytes });
      sink.onLargeFrame?.(now);
    }
  }

  add(held: HeldPacket, now: number): void {
    this.#entries.push({ ...held, at: now, offset: this.#bytes });
    this.#bytes += held.packet.length;
  }

  remove(sink: Sink): void {
    this.#cursors.delete(sink);
    if (!this.isActive) this.#forget();
  }

  /**
   * @param send sends a packet to sinks, which may remove themselves and others
   * @returns the sinks that caught up
   */
  advance(now: number, send: (held: HeldPacket, sinks: readonly Sink[]) => void): readonly Sink[] {
    let left = MAX_SENDS;
    const end = this.#first + this.#entries.length;
    for (let index = this.#first; index < end && left > 0; index++) {
      const entry = this.#entries[index - this.#first]!;
      const sinks = this.#due(entry, index, left, now);
      left -= sinks.length;
      if (sinks.length) send(entry, sinks);
    }
    this.#isCut = left === 0;
    const caughtUp = [...this.#cursors].filter(([, cursor]) => cursor.index === end).map(([sink]) => sink);
    for (const sink of caughtUp) this.#cursors.delete(sink);
    this.#forget();
    return caughtUp;
  }

  /** The sinks that may be sent the packet now. They count as having received it. */
  #due({ at, offset }: Entry, index: number, most: number, now: number): Sink[] {
    const sinks: Sink[] = [];
    const isLate = now - at >= MAX_WAIT_MS;
    for (const [sink, cursor] of this.#cursors) {
      if (cursor.index !== index) continue;
      if (!isLate && offset - cursor.offset > this.#allowance(sink, cursor, now)) continue;
      cursor.index++;
      sinks.push(sink);
      if (sinks.length === most) break;
    }
    return sinks;
  }

  /** How many bytes the sink may have received by now: at least what ends after the longest wait. */
  #allowance({ networkBitrate = Infinity }: Sink, { since, offset }: Cursor, now: number): number {
    const least = ((this.#bytes - offset) * 8_000) / MAX_WAIT_MS;
    const elapsed = now - since;
    // Before the first step Infinity * 0 would be no number.
    return elapsed <= 0 ? 0 : (Math.max(least, PACING_FACTOR * networkBitrate) * elapsed) / 8_000;
  }

  /** Forgets the packets that all sinks received. */
  #forget(): void {
    let next = this.#first + this.#entries.length;
    for (const { index } of this.#cursors.values()) next = Math.min(next, index);
    if (next > this.#first) this.#entries = this.#entries.slice(next - this.#first);
    this.#first = next;
  }
}

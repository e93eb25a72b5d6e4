import { randomInt } from 'node:crypto';
import type { TrackKind } from '../media-engine.js';
import { PacketCache } from './rtp/packet-cache.js';
import {
  payloadType,
  sequenceDistance,
  setPayloadType,
  setSequenceNumber,
  setSsrc,
  setTimestamp,
  timestamp,
} from './rtp/packet.js';
import { senderReport, type SenderReport } from './rtp/rtcp.js';
import { clockRate, matchFormat, type Format } from './sdp/codecs.js';

/** Where packets go. It copies what it is given, and says false when it could not send. */
export interface PacketSink {
  send(packet: Buffer): boolean;
}

/** What one viewer gets of one track. */
export interface Outlet {
  readonly sink: PacketSink;
  /** What the viewer was answered with. */
  readonly formats: readonly Format[];
  /** The viewer's number for what is being sent. Meaningless while nothing is. */
  payloadType: number;
  /** How many packets it may still have again this second. */
  resendsLeft: number;
}

const CACHED_PACKETS = 1024;
/** Per viewer and second: a NACK of 1 kB can ask for 4,000 packets, and whoever writes it pays for none. */
const MOST_RESENDS = 600;

/**
 * One kind of one stream, as all its viewers receive it: one SSRC for ever, sequence numbers and timestamps that go
 * on where they were when another publisher takes over. Only the payload type differs from viewer to viewer.
 */
export class ForwardedTrack {
  readonly ssrc = randomInt(1, 2 ** 32);
  readonly #outlets = new Set<Outlet>();
  /** Those who are sent every packet, viewers of one payload type next to each other. */
  #flowing: Outlet[] = [];
  /** Those who could be, from the next keyframe on. What comes before would only show as garbage. */
  readonly #waiting = new Set<Outlet>();
  readonly #cache: PacketCache | undefined;

  #format: Format | undefined;
  #anchored = false;
  #sequenceOffset = 0;
  #timestampOffset = 0;
  #lastSequence: number | undefined;
  #lastTimestamp = 0;
  #lastAt = 0;
  #report: Buffer | undefined;

  constructor(
    readonly kind: TrackKind,
    readonly cname: string,
  ) {
    // Audio is not asked for again: by the time it came, its moment would be over.
    this.#cache = kind === 'video' ? new PacketCache(CACHED_PACKETS) : undefined;
  }

  /** Whether somebody waits for a keyframe. */
  get awaited(): boolean {
    return this.#waiting.size > 0;
  }

  /** From now on `format` is what comes, numbered by somebody else than before. `undefined`: nothing comes. */
  setSource(format: Format | undefined): void {
    this.#format = format;
    this.#anchored = false;
    this.#report = undefined;
    this.#cache?.clear();
    this.#flowing = [];
    this.#waiting.clear();
    for (const outlet of this.#outlets) this.#connect(outlet);
  }

  add(outlet: Outlet): void {
    outlet.resendsLeft = MOST_RESENDS;
    this.#outlets.add(outlet);
    this.#connect(outlet);
  }

  remove(outlet: Outlet): void {
    this.#outlets.delete(outlet);
    this.#waiting.delete(outlet);
    this.#flowing = this.#flowing.filter((flowing) => flowing !== outlet);
  }

  /**
   * Sends a packet of the source to everybody, and answers to how many. Changes the packet and keeps it.
   * @param sequence extended, as the source numbers
   * @param startsKeyframe whether those who wait can begin with it
   */
  forward(packet: Buffer, sequence: number, startsKeyframe: boolean, now: number): number {
    if (!this.#anchored) this.#anchor(sequence, timestamp(packet), now);
    const sentSequence = (sequence + this.#sequenceOffset) & 0xffff;
    const sentTimestamp = (timestamp(packet) + this.#timestampOffset) >>> 0;
    setSequenceNumber(packet, sentSequence);
    setTimestamp(packet, sentTimestamp);
    setSsrc(packet, this.ssrc);
    if (this.#lastSequence === undefined || sequenceDistance(sentSequence, this.#lastSequence) > 0) {
      this.#lastSequence = sentSequence;
      this.#lastTimestamp = sentTimestamp;
      this.#lastAt = now;
    }
    this.#cache?.add(packet);
    if (startsKeyframe && this.#waiting.size) this.#admitWaiting();

    let sent = 0;
    let written = payloadType(packet);
    const outlets = this.#flowing;
    for (let index = 0; index < outlets.length; index++) {
      const outlet = outlets[index]!;
      if (outlet.payloadType !== written) setPayloadType(packet, (written = outlet.payloadType));
      if (outlet.sink.send(packet)) sent++;
    }
    return sent;
  }

  /** Tells everybody how the source's wall clock and its media clock go together, the latter as we send it. */
  relay(report: SenderReport): void {
    if (!this.#anchored) return;
    const rtpTimestamp = (report.rtpTimestamp + this.#timestampOffset) >>> 0;
    this.#report = senderReport(this.ssrc, { ...report, rtpTimestamp }, this.cname);
    for (const { sink } of this.#flowing) sink.send(this.#report);
  }

  /** Sends again what is still known, and answers how many that were. */
  resend(outlet: Outlet, sequenceNumbers: readonly number[]): number {
    let sent = 0;
    for (const sequence of sequenceNumbers) {
      const packet = this.#cache?.find(sequence);
      if (!packet) continue;
      if (outlet.resendsLeft-- <= 0) break;
      setPayloadType(packet, outlet.payloadType);
      if (outlet.sink.send(packet)) sent++;
    }
    return sent;
  }

  /** Once a second. */
  allowResends(): void {
    for (const outlet of this.#outlets) outlet.resendsLeft = MOST_RESENDS;
  }

  #connect(outlet: Outlet): void {
    const format = this.#format && matchFormat(outlet.formats, this.#format);
    if (!format) return;
    outlet.payloadType = format.payloadType;
    if (this.kind === 'video') this.#waiting.add(outlet);
    else this.#admit([outlet]);
  }

  #admitWaiting(): void {
    this.#admit([...this.#waiting]);
    this.#waiting.clear();
  }

  #admit(outlets: readonly Outlet[]): void {
    this.#flowing = [...this.#flowing, ...outlets].sort((a, b) => a.payloadType - b.payloadType);
    // So that sound and picture are in step from the first frame, and not from the next report on.
    if (this.#report) for (const { sink } of outlets) sink.send(this.#report);
  }

  /** Fits a new source's numbers behind the last ones sent; its clock goes on by the time that went by. */
  #anchor(sequence: number, sourceTimestamp: number, now: number): void {
    this.#anchored = true;
    if (this.#lastSequence === undefined) return;
    const elapsed = Math.max(1, Math.round(((now - this.#lastAt) * clockRate(this.kind)) / 1000));
    this.#sequenceOffset = this.#lastSequence + 1 - sequence;
    this.#timestampOffset = (this.#lastTimestamp + elapsed - sourceTimestamp) >>> 0;
  }
}

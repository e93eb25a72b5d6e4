import { compactNtp, type ReportBlock, type SenderReport } from '../rtcp/rtcp.js';
import { MAX_DROPOUT, MAX_MISORDER, SequenceExtender } from './sequence-extender.js';

/** Packets of a wider gap are not requested: a keyframe repairs the picture better. */
const MAX_GAP = 256;
/** With more packets missing, a keyframe repairs the picture better than retransmissions. */
const MAX_MISSING = 1024;
const MAX_REQUESTS_PER_PACKET = 8;
const GIVE_UP_AFTER_MS = 800;
/** Interval between two requests for a packet; it grows to the maximum with the time until an answer. */
const MIN_RETRY_MS = 60;
const MAX_RETRY_MS = 300;
/** Older packets are discarded: down tracks could not send them any more. A power of two. */
const REMEMBERED_PACKETS = MAX_MISORDER;

interface MissingPacket {
  readonly since: number;
  requestedAt: number;
  requests: number;
}

/**
 * The packets received on one SSRC: finds gaps for NACK, and keeps the values of report blocks (RFC 3550 appendix A).
 */
export class ReceiveStream {
  readonly ssrc: number;
  readonly clockRate: number;
  readonly #extender: SequenceExtender;
  /** Older packets are not accepted. */
  #first = -1;
  /** Numbers that no packet had, because the sender restarted. */
  #skipped = 0;
  /** What extended numbers have in front of those of the sender. */
  #cycles = 0;
  #highest = -1;
  #received = 0;
  #expectedAtReport = 0;
  #receivedAtReport = 0;
  #jitter = 0;
  #transit: number | undefined;
  #lastSenderReport = 0;
  #lastSenderReportAt = 0;
  #lost = 0;
  #recoveryDelay = 0;
  #retryAfter = MIN_RETRY_MS;
  /** By extended sequence number, oldest first. */
  readonly #missing = new Map<number, MissingPacket>();
  /** The last extended sequence numbers received, at their index modulo the size. */
  readonly #seen = new Float64Array(REMEMBERED_PACKETS);

  /** @param after the extended numbers begin after this one */
  constructor(ssrc: number, clockRate: number, after = 0) {
    this.ssrc = ssrc;
    this.clockRate = clockRate;
    this.#extender = new SequenceExtender(clockRate, after);
  }

  /** The highest extended sequence number. */
  get highest(): number {
    return this.#highest;
  }

  /** Whether the last packet, which was not accepted, is to be delivered if the stream restarts with the next one. */
  get isHeld(): boolean {
    return this.#extender.isHeld;
  }

  /** Whether the stream restarted with the packet that was held, whose number is one less than that of the last. */
  get isRestart(): boolean {
    return this.#extender.isRestart;
  }

  /** Packets since the first one, without duplicates. */
  get received(): number {
    return this.#received;
  }

  /** Packets that were not there when a later one arrived, and that did not come by themselves. */
  get lost(): number {
    return this.#lost;
  }

  get jitterMs(): number {
    return (this.#jitter * 1_000) / this.clockRate;
  }

  /** How long the last received packet had been missing, in ms; 0 if it was not missing. */
  get recoveryDelay(): number {
    return this.#recoveryDelay;
  }

  get hasMissing(): boolean {
    return this.#missing.size > 0;
  }

  /**
   * Counts a packet.
   * @returns its extended sequence number, which never wraps. `undefined`: the packet is held, a duplicate, or older
   *   than the first or the remembered packets. Encoders resend packets that are not missing to probe the network;
   *   Firefox sends more of them than media.
   */
  receive(sequence: number, timestamp: number, now: number): number | undefined {
    const extended = this.#extender.extend(sequence, timestamp);
    if (extended === undefined) return undefined;
    if (this.#highest < 0) this.#start(extended, sequence);
    if (this.#extender.isRestart) this.#restart(extended);
    if (extended < this.#first) return undefined;
    if (this.#seen[extended % REMEMBERED_PACKETS] === extended) return undefined;
    this.#seen[extended % REMEMBERED_PACKETS] = extended;
    this.#received++;
    this.#recoveryDelay = 0;
    if (extended > this.#highest) {
      this.#onGap(extended, now);
      this.#highest = extended;
    } else {
      this.#onRecovered(extended, now);
    }
    this.#updateJitter(timestamp, now);
    return extended;
  }

  /**
   * Another packet carried a missing one. It does not count as received: the network lost it.
   * @returns whether it was missing
   */
  restore(extended: number): boolean {
    const isKnown =
      extended >= this.#first && extended < this.#highest && extended > this.#highest - REMEMBERED_PACKETS;
    if (!isKnown || this.#seen[extended % REMEMBERED_PACKETS] === extended) return false;
    this.#seen[extended % REMEMBERED_PACKETS] = extended;
    this.#missing.delete(extended);
    return true;
  }

  onSenderReport(report: SenderReport, now: number): void {
    this.#lastSenderReport = compactNtp(report);
    this.#lastSenderReportAt = now;
  }

  /** The sequence numbers to request now, oldest first. They count as requested. */
  takeNackList(now: number): number[] {
    const wanted: number[] = [];
    for (const [sequence, packet] of this.#missing) {
      if (packet.requests >= MAX_REQUESTS_PER_PACKET || now - packet.since > GIVE_UP_AFTER_MS) {
        this.#missing.delete(sequence);
      } else if (packet.requests === 0 || now - packet.requestedAt >= this.#retryAfter) {
        packet.requestedAt = now;
        packet.requests++;
        wanted.push(sequence & 0xffff);
      }
    }
    return wanted;
  }

  /** Whether packets arrived since the last report. */
  get hasNews(): boolean {
    return this.#received !== this.#receivedAtReport;
  }

  /** The report block for the time since the last call. */
  reportBlock(now: number): ReportBlock {
    const expected = this.#highest - this.#first - this.#skipped + 1;
    const expectedSince = expected - this.#expectedAtReport;
    const lostSince = expectedSince - (this.#received - this.#receivedAtReport);
    this.#expectedAtReport = expected;
    this.#receivedAtReport = this.#received;
    return {
      ssrc: this.ssrc,
      fractionLost: lostSince > 0 ? Math.min(255, Math.floor((256 * lostSince) / expectedSince)) : 0,
      packetsLost: Math.max(0, expected - this.#received),
      highestSequence: this.#highest - this.#cycles,
      jitter: Math.round(this.#jitter),
      lastSenderReport: this.#lastSenderReport,
      delaySinceLastSenderReport: this.#lastSenderReport
        ? Math.round(((now - this.#lastSenderReportAt) * 65_536) / 1000)
        : 0,
    };
  }

  #start(extended: number, sequence: number): void {
    this.#first = extended;
    this.#highest = extended - 1;
    this.#cycles = extended - sequence;
  }

  /** @param extended of the second packet after the restart */
  #restart(extended: number): void {
    const held = extended - 1;
    this.#skipped += held - this.#highest - 1;
    this.#highest = held;
    this.#seen[held % REMEMBERED_PACKETS] = held;
    this.#received++;
    this.#missing.clear();
    this.#transit = undefined;
  }

  #onGap(extended: number, now: number): void {
    const gap = extended - this.#highest - 1;
    if (gap < MAX_DROPOUT) this.#lost += gap;
    if (gap >= MAX_GAP || this.#missing.size > MAX_MISSING) return this.#missing.clear();
    for (let sequence = this.#highest + 1; sequence < extended; sequence++) {
      this.#missing.set(sequence, { since: now, requestedAt: 0, requests: 0 });
    }
  }

  #onRecovered(extended: number, now: number): void {
    const packet = this.#missing.get(extended);
    if (!packet) return;
    this.#missing.delete(extended);
    if (packet.requests === 0) this.#lost--;
    this.#recoveryDelay = now - packet.since;
    // A second request before the answer to the first can arrive only has the packet sent twice.
    if (packet.requests === 1) {
      this.#retryAfter = Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, 1.25 * (now - packet.requestedAt)));
    }
  }

  #updateJitter(timestamp: number, now: number): void {
    const transit = Math.round((now * this.clockRate) / 1000 - timestamp) | 0;
    if (this.#transit !== undefined) {
      const difference = Math.abs((transit - this.#transit) | 0);
      this.#jitter += (difference - this.#jitter) / 16;
    }
    this.#transit = transit;
  }
}

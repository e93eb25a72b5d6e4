import { compactNtp, type ReportBlock, type SenderReport } from '../rtcp/rtcp.js';
import { sequenceDistance } from '../rtp/packet.js';

/** A wider gap is a jump in the sequence numbers and no loss: its packets are not requested. */
const MAX_GAP = 256;
/** With more packets missing, a keyframe repairs the picture better than retransmissions. */
const MAX_MISSING = 1024;
const MAX_REQUESTS_PER_PACKET = 8;
const GIVE_UP_AFTER_MS = 800;
/** Interval between two requests for a packet; it grows to the maximum with the time until an answer. */
const MIN_RETRY_MS = 60;
const MAX_RETRY_MS = 300;
/** Older packets are discarded: down tracks could not send them any more. A power of two. */
const REMEMBERED_PACKETS = 1024;

interface MissingPacket {
  readonly since: number;
  requestedAt: number;
  requests: number;
}

/**
 * The packets received on one SSRC: finds gaps for NACK, and keeps the values of report blocks (RFC 3550 appendix A).
 */
export class ReceiveStream {
  #first = -1;
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

  constructor(
    readonly ssrc: number,
    readonly clockRate: number,
  ) {}

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
   * @returns its extended sequence number, which never wraps. `undefined`: the packet is a duplicate, or older than
   *   the first or the remembered packets. Encoders resend packets that are not missing to probe the network;
   *   Firefox sends more of them than media.
   */
  receive(sequence: number, timestamp: number, now: number): number | undefined {
    if (this.#highest < 0) {
      // Start one cycle up, so that no earlier number is negative.
      this.#first = this.#highest = sequence + 0x10000;
      this.#received = 1;
      this.#seen[this.#first % REMEMBERED_PACKETS] = this.#first;
      return this.#first;
    }
    const extended = this.#highest + sequenceDistance(sequence, this.#highest & 0xffff);
    if (extended < this.#first || extended <= this.#highest - REMEMBERED_PACKETS) return undefined;
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

  /** The report block for the time since the last call. */
  reportBlock(now: number): ReportBlock {
    const expected = this.#highest - this.#first + 1;
    const expectedSince = expected - this.#expectedAtReport;
    const lostSince = expectedSince - (this.#received - this.#receivedAtReport);
    this.#expectedAtReport = expected;
    this.#receivedAtReport = this.#received;
    return {
      ssrc: this.ssrc,
      fractionLost: lostSince > 0 ? Math.min(255, Math.floor((256 * lostSince) / expectedSince)) : 0,
      packetsLost: Math.max(0, expected - this.#received),
      highestSequence: this.#highest - 0x10000,
      jitter: Math.round(this.#jitter),
      lastSenderReport: this.#lastSenderReport,
      delaySinceLastSenderReport: this.#lastSenderReport
        ? Math.round(((now - this.#lastSenderReportAt) * 65_536) / 1000)
        : 0,
    };
  }

  #onGap(extended: number, now: number): void {
    if (extended - this.#highest > MAX_GAP || this.#missing.size > MAX_MISSING) return this.#missing.clear();
    this.#lost += extended - this.#highest - 1;
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

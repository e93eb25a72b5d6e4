import { sequenceDistance } from '../rtp/packet.js';
import { compactNtp, type ReportBlock, type SenderReport } from '../rtcp/rtcp.js';

/** A gap this wide is no loss but a jump: what is missing is not asked for. */
const WIDEST_GAP = 256;
/** More than this missing at once is an outage, which a keyframe mends better than asking. */
const MOST_MISSING = 1024;
/** How often and how long one packet is asked for, and how long after an asking the next may follow. */
const MOST_REQUESTS = 8;
const GIVE_UP_AFTER_MS = 800;
const REPEAT_AFTER_MS = 60;
/** The same for senders that are far away. */
const LONGEST_REPEAT_MS = 300;
/** How far back a packet still counts; viewers have no place for one that is older. A power of two. */
const REMEMBERED = 1024;

interface MissingPacket {
  readonly since: number;
  askedAt: number;
  timesAsked: number;
}

/** What came of one SSRC: gaps to ask for, and the figures of its receiver reports (RFC 3550 appendix A). */
export class ReceiveStream {
  #first = -1;
  #highest = -1;
  #received = 0;
  #expectedBefore = 0;
  #receivedBefore = 0;
  #jitter = 0;
  #transit: number | undefined;
  #lastSenderReport = 0;
  #lastSenderReportAt = 0;
  #lateBy = 0;
  #repeatAfter = REPEAT_AFTER_MS;
  /** By extended sequence number, oldest first. */
  readonly #missing = new Map<number, MissingPacket>();
  /** The last extended sequence numbers that came, each at its place. */
  readonly #seen = new Float64Array(REMEMBERED);

  constructor(
    readonly ssrc: number,
    readonly clockRate: number,
  ) {}

  /** How long the packet that came last had been missing, in ms; 0 when it came in its turn. */
  get recoveryDelay(): number {
    return this.#lateBy;
  }

  /** Whether there may be something to ask for. */
  get hasMissing(): boolean {
    return this.#missing.size > 0;
  }

  /**
   * Counts a packet in and answers its extended sequence number, which never wraps.
   * `undefined`: it came before, or it was sent before the first that came, and has no place. Encoders that try what
   * their network carries send again what nobody misses; Firefox more of it than of pictures.
   */
  receive(sequence: number, timestamp: number, now: number): number | undefined {
    if (this.#highest < 0) {
      // Starting one cycle up leaves room below for nothing to be negative.
      this.#first = this.#highest = sequence + 0x10000;
      this.#received = 1;
      this.#seen[this.#first % REMEMBERED] = this.#first;
      return this.#first;
    }
    const extended = this.#highest + sequenceDistance(sequence, this.#highest & 0xffff);
    if (extended < this.#first || extended <= this.#highest - REMEMBERED) return undefined;
    if (this.#seen[extended % REMEMBERED] === extended) return undefined;
    this.#seen[extended % REMEMBERED] = extended;
    this.#received++;
    this.#lateBy = 0;
    if (extended > this.#highest) {
      this.#noteGap(extended, now);
      this.#highest = extended;
    } else {
      this.#noteReturn(extended, now);
    }
    this.#noteJitter(timestamp, now);
    return extended;
  }

  onSenderReport(reportBlock: SenderReport, now: number): void {
    this.#lastSenderReport = compactNtp(reportBlock);
    this.#lastSenderReportAt = now;
  }

  /** The sequence numbers to ask for now, oldest first. Asking is remembered. */
  takeNackList(now: number): number[] {
    const wanted: number[] = [];
    for (const [sequence, packet] of this.#missing) {
      if (packet.timesAsked >= MOST_REQUESTS || now - packet.since > GIVE_UP_AFTER_MS) {
        this.#missing.delete(sequence);
      } else if (packet.timesAsked === 0 || now - packet.askedAt >= this.#repeatAfter) {
        packet.askedAt = now;
        packet.timesAsked++;
        wanted.push(sequence & 0xffff);
      }
    }
    return wanted;
  }

  /** The report since the last one asked for. */
  report(now: number): ReportBlock {
    const expected = this.#highest - this.#first + 1;
    const expectedSince = expected - this.#expectedBefore;
    const lostSince = expectedSince - (this.#received - this.#receivedBefore);
    this.#expectedBefore = expected;
    this.#receivedBefore = this.#received;
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

  #noteGap(extended: number, now: number): void {
    if (extended - this.#highest > WIDEST_GAP || this.#missing.size > MOST_MISSING) return this.#missing.clear();
    for (let sequence = this.#highest + 1; sequence < extended; sequence++) {
      this.#missing.set(sequence, { since: now, askedAt: 0, timesAsked: 0 });
    }
  }

  #noteReturn(extended: number, now: number): void {
    const packet = this.#missing.get(extended);
    if (!packet) return;
    this.#missing.delete(extended);
    this.#lateBy = now - packet.since;
    // Asking again before an answer can have come only has it sent twice.
    if (packet.timesAsked === 1) {
      this.#repeatAfter = Math.min(LONGEST_REPEAT_MS, Math.max(REPEAT_AFTER_MS, 1.25 * (now - packet.askedAt)));
    }
  }

  #noteJitter(timestamp: number, now: number): void {
    const transit = Math.round((now * this.clockRate) / 1000 - timestamp) | 0;
    if (this.#transit !== undefined) {
      const difference = Math.abs((transit - this.#transit) | 0);
      this.#jitter += (difference - this.#jitter) / 16;
    }
    this.#transit = transit;
  }
}

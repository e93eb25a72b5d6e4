import { findExtension, readTransportSequence } from '../../server/media/embedded/rtp/header-extensions.js';
import { sequenceDistance, sequenceNumber, ssrc } from '../../server/media/embedded/rtp/packet.js';
import { remb, receiverReport } from '../../server/media/embedded/rtcp/rtcp.js';
import { transportFeedback } from '../../server/media/embedded/rtcp/transport-feedback.js';
import { ABSOLUTE_SEND_TIME, TRANSPORT_SEQUENCE } from '../../server/media/embedded/rtp/header-extensions.js';

const SEND_TIME_ID = 2;
const TRANSPORT_SEQUENCE_ID = 3;
/**
 * As Chromium 156 was counted to do for a camera's picture of 700 kbit/s: 17.2 packets a second in all where it is asked
 * to report on each packet, 4.4 where it is asked for an estimate.
 */
const FEEDBACK_EVERY_MS = 1_000 / 16.2;
const ESTIMATE_EVERY_MS = 1_000 / 3.4;
const REPORT_EVERY_MS = 1_000;
const ESTIMATE = 3_000_000;
const OUR_SSRC = 1;

const EXTENSIONS = [
  `a=extmap:${SEND_TIME_ID} ${ABSOLUTE_SEND_TIME}\r\n`,
  `a=extmap:${TRANSPORT_SEQUENCE_ID} ${TRANSPORT_SEQUENCE}\r\n`,
].join('');

/** An offer of `RtpPeer` that also offers transport-wide feedback and estimates, as every browser of today does. */
export function offeringFeedback(offer: string): string {
  const mid = /a=extmap:4 .*\r\n/g;
  const video = /a=rtpmap:96 .*\r\n/;
  return offer
    .replaceAll(mid, (line) => `${line}${EXTENSIONS}`)
    .replace(video, (line) => `${line}a=rtcp-fb:96 goog-remb\r\na=rtcp-fb:96 transport-cc\r\n`);
}

/**
 * What a browser says of the packets that come, by what they carry: where they are numbered across the transport, each
 * one's arrival; else where they say when they were sent, an estimate. And their sum every second.
 */
export class BrowserReports {
  readonly #send: (rtcp: Buffer) => void;
  #ssrc = 0;
  #highestSequence = 0;
  /** The first transport-wide number that was not reported on. */
  #first: number | undefined;
  #arrivals: number[] = [];
  #count = 0;
  #isTimed = false;

  constructor(send: (rtcp: Buffer) => void) {
    this.#send = send;
    this.#every(FEEDBACK_EVERY_MS, () => this.#giveFeedback());
    this.#every(ESTIMATE_EVERY_MS, () => this.#estimate());
    this.#every(REPORT_EVERY_MS, () => this.#report());
  }

  note(packet: Buffer): void {
    this.#ssrc = ssrc(packet);
    this.#highestSequence = sequenceNumber(packet);
    const number = readTransportSequence(packet, TRANSPORT_SEQUENCE_ID);
    this.#isTimed = number < 0 && findExtension(packet, SEND_TIME_ID) >= 0;
    if (number < 0) return;
    this.#first ??= number;
    const place = sequenceDistance(number, this.#first);
    if (place < 0) return;
    while (this.#arrivals.length < place) this.#arrivals.push(Number.NaN);
    this.#arrivals[place] = performance.now();
  }

  /** Not all viewers at once. */
  #every(ms: number, act: () => void): void {
    setTimeout(() => setInterval(act, ms), Math.random() * ms);
  }

  #giveFeedback(): void {
    if (this.#first === undefined || !this.#arrivals.length) return;
    const arrivals = Float64Array.from(this.#arrivals);
    this.#send(transportFeedback(OUR_SSRC, this.#ssrc, { firstSequence: this.#first, arrivals, count: this.#count }));
    this.#count = (this.#count + 1) & 0xff;
    this.#first = (this.#first + arrivals.length) & 0xffff;
    this.#arrivals = [];
  }

  #estimate(): void {
    if (this.#isTimed) this.#send(remb(OUR_SSRC, ESTIMATE, [this.#ssrc]));
  }

  #report(): void {
    if (!this.#ssrc) return;
    const nothingLost = { fractionLost: 0, packetsLost: 0, jitter: 0 };
    const noReports = { lastSenderReport: 0, delaySinceLastSenderReport: 0 };
    const report = { ssrc: this.#ssrc, highestSequence: this.#highestSequence, ...nothingLost, ...noReports };
    this.#send(receiverReport(OUR_SSRC, [report]));
  }
}

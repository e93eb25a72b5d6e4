import { findExtension, readTransportSequence } from '../../server/media/embedded/rtp/header-extensions.js';
import { sequenceDistance, sequenceNumber, ssrc } from '../../server/media/embedded/rtp/packet.js';
import { remb, receiverReport } from '../../server/media/embedded/rtcp/rtcp.js';
import { transportFeedback } from '../../server/media/embedded/rtcp/transport-feedback.js';
import { ABSOLUTE_SEND_TIME, TRANSPORT_SEQUENCE } from '../../server/media/sdp/extension-uris.js';

const SEND_TIME_ID = 2;
const TRANSPORT_SEQUENCE_ID = 3;
/**
 * Measured with Chromium 156 and a camera's video of 700 kbit/s: 17.2 RTCP packets a second with transport feedback, 4.4
 * with estimates (REMB). One of them is the receiver report.
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

/** An offer of `RtpPeer` that also offers transport feedback and REMB, as current browsers do. */
export function offeringFeedback(offer: string): string {
  const mid = /a=extmap:4 .*\r\n/g;
  const video = /a=rtpmap:96 .*\r\n/;
  return offer
    .replaceAll(mid, (line) => `${line}${EXTENSIONS}`)
    .replace(video, (line) => `${line}a=rtcp-fb:96 goog-remb\r\na=rtcp-fb:96 transport-cc\r\n`);
}

/**
 * Sends the RTCP reports of a browser. Packets with a transport-wide number get transport feedback; other packets with a
 * send time get an estimate (REMB). Every second there is a receiver report.
 */
export class BrowserReports {
  readonly #send: (rtcp: Buffer) => void;
  #ssrc = 0;
  #highestSequence = 0;
  /** The first transport-wide number that is not reported yet. */
  #first: number | undefined;
  #arrivals: number[] = [];
  #count = 0;
  #isTimed = false;
  readonly #closed = new AbortController();

  /** @param send throws when the connection is closed; the reports end then */
  constructor(send: (rtcp: Buffer) => void) {
    this.#send = (rtcp) => {
      if (this.#closed.signal.aborted) return;
      try {
        send(rtcp);
      } catch {
        // On a loaded machine a connection may be lost. The other viewers continue.
        this.close();
      }
    };
    this.#every(FEEDBACK_EVERY_MS, () => this.#giveFeedback());
    this.#every(ESTIMATE_EVERY_MS, () => this.#estimate());
    this.#every(REPORT_EVERY_MS, () => this.#report());
  }

  /** @param isMedia false: RTX, which has an SSRC of its own, and is reported by its transport-wide number alone */
  receive(packet: Buffer, isMedia = true): void {
    if (isMedia) {
      this.#ssrc = ssrc(packet);
      this.#highestSequence = sequenceNumber(packet);
    }
    const number = readTransportSequence(packet, TRANSPORT_SEQUENCE_ID);
    this.#isTimed = number < 0 && findExtension(packet, SEND_TIME_ID) >= 0;
    if (number < 0) return;
    this.#first ??= number;
    const index = sequenceDistance(number, this.#first);
    if (index < 0) return;
    while (this.#arrivals.length < index) this.#arrivals.push(Number.NaN);
    this.#arrivals[index] = performance.now();
  }

  /** Ends the reports. */
  close(): void {
    this.#closed.abort();
  }

  /** Starts with a random delay, so that the viewers do not all report at the same time. */
  #every(ms: number, send: () => void): void {
    let timer = setTimeout(() => void (timer = setInterval(send, ms)), Math.random() * ms);
    this.#closed.signal.addEventListener('abort', () => clearTimeout(timer));
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

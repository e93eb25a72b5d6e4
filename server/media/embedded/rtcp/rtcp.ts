import { sequenceDistance } from '../rtp/packet.js';

/** The RTCP messages of peers that the server uses. Others are ignored. */
export type RtcpMessage =
  | { readonly type: 'sender-report'; readonly ssrc: number; readonly report: SenderReport }
  | { readonly type: 'nack'; readonly mediaSsrc: number; readonly sequenceNumbers: readonly number[] }
  | { readonly type: 'keyframe-request'; readonly mediaSsrc: number }
  | { readonly type: 'receiver-report'; readonly reports: readonly ReportBlock[] }
  | { readonly type: 'remb'; readonly bitsPerSecond: number }
  /** Read the packet with `readTransportFeedback`. */
  | { readonly type: 'transport-feedback'; readonly packet: Buffer };

/** RFC 3550 section 6.4.1: maps RTP timestamps to wall-clock time, and counts what was sent so far. */
export interface SenderReport {
  /** NTP timestamp, seconds and fraction. */
  readonly ntpSeconds: number;
  readonly ntpFraction: number;
  readonly rtpTimestamp: number;
  readonly packets: number;
  readonly bytes: number;
}

/** One report block (RFC 3550 section 6.4.1). */
export interface ReportBlock {
  readonly ssrc: number;
  /** Since the last report, in 1/256. */
  readonly fractionLost: number;
  readonly packetsLost: number;
  readonly highestSequence: number;
  /** In units of the RTP timestamp. */
  readonly jitter: number;
  /** LSR: the middle 32 bits of the last sender report's NTP timestamp; 0 if there was none. */
  readonly lastSenderReport: number;
  /** DLSR, in 1/65536 s; 0 if there was no sender report. */
  readonly delaySinceLastSenderReport: number;
}

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const SOURCE_DESCRIPTION = 202;
const TRANSPORT_FEEDBACK = 205;
const PAYLOAD_FEEDBACK = 206;
const GENERIC_NACK = 1;
const TRANSPORT_WIDE = 15;
const PICTURE_LOSS = 1;
const FULL_INTRA_REQUEST = 4;
const APPLICATION_FEEDBACK = 15;
/** Of one packet. Each can report on thousands of packets in a few bytes, and browsers send one. */
const MAX_TRANSPORT_FEEDBACK = 4;

/**
 * Reads a compound packet (RFC 3550 section 6, RFC 4585 section 6, RFC 5104 section 4.3.1), up to a truncated message.
 */
export function readRtcp(packet: Buffer): RtcpMessage[] {
  const messages: RtcpMessage[] = [];
  let feedback = 0;
  let at = 0;
  while (at + 8 <= packet.length && packet[at]! >> 6 === 2) {
    const length = 4 * (packet.readUInt16BE(at + 2) + 1);
    if (at + length > packet.length) break;
    const message = readMessage(packet.subarray(at, at + length));
    if (message && (message.type !== 'transport-feedback' || ++feedback <= MAX_TRANSPORT_FEEDBACK)) {
      messages.push(message);
    }
    at += length;
  }
  return messages;
}

function readMessage(packet: Buffer): RtcpMessage | undefined {
  const format = packet[0]! & 0x1f;
  switch (packet[1]) {
    case SENDER_REPORT:
      return packet.length < 28
        ? undefined
        : {
            type: 'sender-report',
            ssrc: packet.readUInt32BE(4),
            report: {
              ntpSeconds: packet.readUInt32BE(8),
              ntpFraction: packet.readUInt32BE(12),
              rtpTimestamp: packet.readUInt32BE(16),
              packets: packet.readUInt32BE(20),
              bytes: packet.readUInt32BE(24),
            },
          };
    case RECEIVER_REPORT:
      return { type: 'receiver-report', reports: reportBlocks(packet) };
    case TRANSPORT_FEEDBACK:
      if (format === TRANSPORT_WIDE) return { type: 'transport-feedback', packet };
      return format === GENERIC_NACK && packet.length >= 16
        ? { type: 'nack', mediaSsrc: packet.readUInt32BE(8), sequenceNumbers: nackedSequenceNumbers(packet) }
        : undefined;
    case PAYLOAD_FEEDBACK:
      return readPayloadFeedback(format, packet);
    default:
      return undefined;
  }
}

function readPayloadFeedback(format: number, packet: Buffer): RtcpMessage | undefined {
  if (format === PICTURE_LOSS && packet.length >= 12) {
    return { type: 'keyframe-request', mediaSsrc: packet.readUInt32BE(8) };
  }
  // The media source is in the FCI entries (RFC 5104 section 4.3.1). Browsers send one entry.
  if (format === FULL_INTRA_REQUEST && packet.length >= 20) {
    return { type: 'keyframe-request', mediaSsrc: packet.readUInt32BE(12) };
  }
  const isRemb = format === APPLICATION_FEEDBACK && packet.length >= 20 && packet.toString('latin1', 12, 16) === 'REMB';
  if (!isRemb) return undefined;
  const mantissa = ((packet[17]! & 0x03) << 16) | packet.readUInt16BE(18);
  return { type: 'remb', bitsPerSecond: mantissa * 2 ** (packet[17]! >> 2) };
}

function reportBlocks(packet: Buffer): ReportBlock[] {
  const reports: ReportBlock[] = [];
  const count = packet[0]! & 0x1f;
  for (let at = 8; reports.length < count && at + 24 <= packet.length; at += 24) {
    reports.push({
      ssrc: packet.readUInt32BE(at),
      fractionLost: packet[at + 4]!,
      packetsLost: packet.readIntBE(at + 5, 3),
      highestSequence: packet.readUInt32BE(at + 8),
      jitter: packet.readUInt32BE(at + 12),
      lastSenderReport: packet.readUInt32BE(at + 16),
      delaySinceLastSenderReport: packet.readUInt32BE(at + 20),
    });
  }
  return reports;
}

function nackedSequenceNumbers(packet: Buffer): readonly number[] {
  // Of the final size, because four bytes can name 17 packets.
  const sequenceNumbers = new Uint16Array(((packet.length - 12) >> 2) * 17);
  let count = 0;
  for (let at = 12; at + 4 <= packet.length; at += 4) {
    const first = packet.readUInt16BE(at);
    const following = packet.readUInt16BE(at + 2);
    sequenceNumbers[count++] = first;
    for (let bit = 0; bit < 16; bit++) if (following & (1 << bit)) sequenceNumbers[count++] = first + bit + 1;
  }
  return Array.from(sequenceNumbers.subarray(0, count));
}

/** The middle 32 bits of the NTP timestamp, by which receivers name a sender report (LSR, RFC 3550 section 6.4.1). */
export function compactNtp({ ntpSeconds, ntpFraction }: SenderReport): number {
  return ((ntpSeconds << 16) | (ntpFraction >>> 16)) >>> 0;
}

/** A sender report with the CNAME, which is required (RFC 3550 section 6.1). Tracks with one CNAME play in sync. */
export function senderReport(ssrc: number, report: SenderReport, cname: string): Buffer {
  const packet = Buffer.alloc(28);
  header(packet, 0, SENDER_REPORT);
  packet.writeUInt32BE(ssrc, 4);
  packet.writeUInt32BE(report.ntpSeconds, 8);
  packet.writeUInt32BE(report.ntpFraction, 12);
  packet.writeUInt32BE(report.rtpTimestamp, 16);
  // Both count modulo 2^32: a track sends 4 GiB in some hours.
  packet.writeUInt32BE(report.packets >>> 0, 20);
  packet.writeUInt32BE(report.bytes >>> 0, 24);
  return Buffer.concat([packet, sourceDescription(ssrc, cname)]);
}

function sourceDescription(ssrc: number, cname: string): Buffer {
  const name = Buffer.from(cname, 'ascii');
  // The items end with a null byte and are padded to a whole word.
  const packet = Buffer.alloc(4 * Math.ceil((8 + 2 + name.length + 1) / 4));
  header(packet, 1, SOURCE_DESCRIPTION);
  packet.writeUInt32BE(ssrc, 4);
  packet[8] = 1;
  packet[9] = name.length;
  name.copy(packet, 10);
  return packet;
}

export function receiverReport(sender: number, reports: readonly ReportBlock[]): Buffer {
  const packet = Buffer.alloc(8 + 24 * reports.length);
  header(packet, reports.length, RECEIVER_REPORT);
  packet.writeUInt32BE(sender, 4);
  reports.forEach((report, index) => {
    const at = 8 + 24 * index;
    packet.writeUInt32BE(report.ssrc, at);
    packet[at + 4] = report.fractionLost;
    packet.writeUIntBE(Math.min(report.packetsLost, 0x7fffff), at + 5, 3);
    packet.writeUInt32BE(report.highestSequence >>> 0, at + 8);
    packet.writeUInt32BE(report.jitter >>> 0, at + 12);
    packet.writeUInt32BE(report.lastSenderReport >>> 0, at + 16);
    packet.writeUInt32BE(report.delaySinceLastSenderReport >>> 0, at + 20);
  });
  return packet;
}

/** Requests packets again (RFC 4585 section 6.2.1). @param sequenceNumbers in sending order */
export function nack(sender: number, mediaSsrc: number, sequenceNumbers: readonly number[]): Buffer {
  const pairs: { first: number; following: number }[] = [];
  for (const sequence of sequenceNumbers) {
    const last = pairs.at(-1);
    const ahead = last ? sequenceDistance(sequence, last.first) : 0;
    if (last && ahead >= 1 && ahead <= 16) last.following |= 1 << (ahead - 1);
    else pairs.push({ first: sequence, following: 0 });
  }
  const packet = Buffer.alloc(12 + 4 * pairs.length);
  header(packet, GENERIC_NACK, TRANSPORT_FEEDBACK);
  packet.writeUInt32BE(sender, 4);
  packet.writeUInt32BE(mediaSsrc, 8);
  pairs.forEach(({ first, following }, index) => {
    packet.writeUInt16BE(first, 12 + 4 * index);
    packet.writeUInt16BE(following, 14 + 4 * index);
  });
  return packet;
}

/** Requests a keyframe (RFC 4585 section 6.3.1). */
export function pictureLossIndication(sender: number, mediaSsrc: number): Buffer {
  const packet = Buffer.alloc(12);
  header(packet, PICTURE_LOSS, PAYLOAD_FEEDBACK);
  packet.writeUInt32BE(sender, 4);
  packet.writeUInt32BE(mediaSsrc, 8);
  return packet;
}

/** The maximum bitrate of `ssrcs` together (draft-alvestrand-rmcat-remb-03). */
export function remb(sender: number, bitsPerSecond: number, ssrcs: readonly number[]): Buffer {
  let exponent = 0;
  let mantissa = bitsPerSecond;
  while (mantissa > 0x3ffff) {
    mantissa = Math.floor(mantissa / 2);
    exponent++;
  }
  const packet = Buffer.alloc(20 + 4 * ssrcs.length);
  header(packet, APPLICATION_FEEDBACK, PAYLOAD_FEEDBACK);
  packet.writeUInt32BE(sender, 4);
  packet.write('REMB', 12, 'ascii');
  packet[16] = ssrcs.length;
  packet[17] = (exponent << 2) | (mantissa >> 16);
  packet.writeUInt16BE(mantissa & 0xffff, 18);
  ssrcs.forEach((ssrc, index) => packet.writeUInt32BE(ssrc, 20 + 4 * index));
  return packet;
}

/** The first word: version 2, count or feedback format, type, and the packet's length in words minus one. */
function header(packet: Buffer, count: number, type: number): void {
  packet[0] = 0x80 | count;
  packet[1] = type;
  packet.writeUInt16BE(packet.length / 4 - 1, 2);
}

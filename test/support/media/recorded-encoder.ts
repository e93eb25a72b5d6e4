import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRtcp, senderReport, type SenderReport } from '../../../server/media/embedded/rtcp/rtcp.js';
import { findExtension } from '../../../server/media/embedded/rtp/header-extensions.js';
import {
  isRtcp,
  payloadEnd,
  payloadStart,
  payloadType,
  setSequenceNumber,
  setTimestamp,
  ssrc,
  timestamp,
} from '../../../server/media/embedded/rtp/packet.js';
import { emptyPayloadInfo } from '../../../server/media/embedded/rtp/payload-info.js';
import { readPayload } from '../../../server/media/embedded/rtp/payload.js';
import { keepExtensions } from '../../../server/media/embedded/rtp/kept-extensions.js';
import type { VideoCodec } from '../../../server/media/engine/media-track.js';
import { clockRate } from '../../../server/media/sdp/codecs.js';
import { negotiatePublisher, type PublishedTrack } from '../../../server/media/sdp/negotiation.js';
import { readOffer } from '../../../server/media/sdp/offer.js';
import { readRtpDump, type DumpedPacket } from './rtp-dump.js';

const FOLDER = join(import.meta.dirname, 'encoders');
const REPORT_MS = 1_000;
const FIRST_SEQUENCE = 65_500;

const SMALL = [180];
const THREE_SIZES = [135, 270, 540];
/** H.264 has even sizes only. */
const EVEN_SIZES = [134, 270, 540];

/** What each recording has: the codec and the heights of its video. Its name is that of its files. */
export const RECORDINGS = {
  'chromium-vp8': { codec: 'vp8', heights: SMALL },
  'chromium-h264': { codec: 'h264', heights: SMALL },
  'chromium-vp9': { codec: 'vp9', heights: SMALL },
  'chromium-av1': { codec: 'av1', heights: SMALL },
  'chromium-vp8-simulcast': { codec: 'vp8', heights: THREE_SIZES },
  'chromium-h264-simulcast': { codec: 'h264', heights: EVEN_SIZES },
  'chromium-vp9-simulcast': { codec: 'vp9', heights: THREE_SIZES },
  'chromium-vp9-L3T3_KEY': { codec: 'vp9', heights: THREE_SIZES },
  'chromium-av1-L3T3_KEY': { codec: 'av1', heights: THREE_SIZES },
  'firefox-vp8': { codec: 'vp8', heights: SMALL },
  'firefox-vp8-simulcast': { codec: 'vp8', heights: THREE_SIZES },
  'libdatachannel-h264': { codec: 'h264', heights: SMALL },
  'gstreamer-vp8': { codec: 'vp8', heights: SMALL },
  'gstreamer-h264': { codec: 'h264', heights: SMALL },
} as const satisfies Record<string, { readonly codec: VideoCodec; readonly heights: readonly number[] }>;

export type RecordingName = keyof typeof RECORDINGS;

/** A picture, or a packet of sound. */
interface Frame {
  /** In ms since the recording began, by its timestamp. */
  readonly at: number;
  readonly isKeyframe: boolean;
  readonly packets: readonly Buffer[];
}

/** The packets of one SSRC, and how far they were sent. */
interface Encoding {
  readonly ssrc: number;
  readonly track: PublishedTrack;
  readonly rate: number;
  readonly frames: readonly Frame[];
  /** Between two frames, in ms. */
  readonly intervalMs: number;
  readonly report: SenderReport;
  /** The frame that is sent next. */
  position: number;
  /** How much later than in the recording frames are sent now, in ms. */
  shift: number;
  sequence: number;
  wantsKeyframe: boolean;
  reportedAt: number;
  packets: number;
  bytes: number;
}

export interface RecordedEncoderOptions {
  /** Whether a keyframe request has it go on at a keyframe of the recording. Default: yes. */
  readonly answersKeyframeRequests?: boolean;
}

/**
 * Sends what an encoder once sent, without end: sequence numbers, timestamps and sending times go on where the recording
 * begins anew. It has no clock and no network of its own.
 */
export class RecordedEncoder {
  readonly offer: string;
  readonly codec: VideoCodec;
  readonly #encodings: readonly Encoding[];
  readonly #answersKeyframeRequests: boolean;
  #transportSequence = 0;

  constructor(name: RecordingName, { answersKeyframeRequests = true }: RecordedEncoderOptions = {}) {
    this.offer = readFileSync(join(FOLDER, `${name}.sdp`), 'utf8');
    this.codec = RECORDINGS[name].codec;
    this.#answersKeyframeRequests = answersKeyframeRequests;
    this.#encodings = readEncodings(this.offer, this.codec, readRtpDump(readFileSync(join(FOLDER, `${name}.rtpdump`))));
  }

  /** The SSRCs of the video. */
  get videoSsrcs(): readonly number[] {
    return this.#encodings.filter(({ track }) => track.kind === 'video').map(({ ssrc }) => ssrc);
  }

  /**
   * The SSRC that sends what is in these packets of video, behind their payload descriptors. Packets of two SSRCs with
   * the same content are left out.
   */
  contents(): ReadonlyMap<string, number> {
    const ssrcOf = new Map<string, number>();
    const ambiguous = new Set<string>();
    for (const { ssrc, track, frames } of this.#encodings) {
      if (track.kind !== 'video') continue;
      for (const packet of frames.flatMap(({ packets }) => packets)) {
        const content = contentOf(this.codec, withoutExtensions(packet));
        if ((ssrcOf.get(content) ?? ssrc) !== ssrc) ambiguous.add(content);
        ssrcOf.set(content, ssrc);
      }
    }
    for (const content of ambiguous) ssrcOf.delete(content);
    return ssrcOf;
  }

  /** What is to be sent until a time in ms, and was not yet. Time begins at 0. */
  packetsUntil(now: number): Buffer[] {
    const packets: Buffer[] = [];
    for (;;) {
      const next = this.#encodings.reduce((first, other) => (dueAt(other) < dueAt(first) ? other : first));
      if (dueAt(next) > now) return packets;
      packets.push(...this.#send(next));
    }
  }

  /** RTCP of the server. */
  receive(rtcp: Buffer): void {
    if (!this.#answersKeyframeRequests) return;
    for (const message of readRtcp(rtcp)) {
      if (message.type !== 'keyframe-request') continue;
      const encoding = this.#encodings.find(({ ssrc }) => ssrc === message.mediaSsrc);
      if (encoding) encoding.wantsKeyframe = true;
    }
  }

  #send(encoding: Encoding): Buffer[] {
    const at = dueAt(encoding);
    if (encoding.wantsKeyframe) goTo(encoding, nextKeyframe(encoding));
    encoding.wantsKeyframe = false;
    const frame = encoding.frames[encoding.position]!;
    const packets = frame.packets.map((packet) => this.#rewritten(packet, encoding, at));
    if (at - encoding.reportedAt >= REPORT_MS) packets.unshift(reportAt(encoding, at));
    encoding.position++;
    if (encoding.position === encoding.frames.length) {
      encoding.position--;
      encoding.shift += encoding.intervalMs;
      goTo(encoding, 0);
    }
    return packets;
  }

  #rewritten(recorded: Buffer, encoding: Encoding, at: number): Buffer {
    const packet = Buffer.from(recorded);
    setSequenceNumber(packet, encoding.sequence++ & 0xffff);
    setTimestamp(packet, timestamp(recorded) + Math.round((encoding.shift * encoding.rate) / 1_000));
    const { transportSequence, absoluteSendTime, captureTime } = encoding.track.extensions;
    write(packet, transportSequence, 2, () => this.#transportSequence++ & 0xffff);
    write(packet, absoluteSendTime, 3, () => Math.round((at / 1_000) * 2 ** 18) & 0xff_ffff);
    shiftTime(packet, captureTime, encoding.shift);
    encoding.packets++;
    encoding.bytes += payloadEnd(packet) - payloadStart(packet);
    return packet;
  }
}

const dueAt = ({ frames, position, shift }: Encoding): number => frames[position]!.at + shift;

/** Goes on with another frame at the time of the one that would be next. */
function goTo(encoding: Encoding, position: number): void {
  const at = dueAt(encoding);
  encoding.position = position;
  encoding.shift = at - encoding.frames[position]!.at;
}

function nextKeyframe({ frames, position }: Encoding): number {
  const later = frames.findIndex(({ isKeyframe }, index) => index >= position && isKeyframe);
  return later < 0 ? 0 : later;
}

/** Both clocks of a sender report go on equally. */
function reportAt(encoding: Encoding, at: number): Buffer {
  encoding.reportedAt = at;
  const { report, rate, ssrc, packets, bytes, frames } = encoding;
  const ntp = (BigInt(report.ntpSeconds) << 32n) | BigInt(report.ntpFraction);
  const first = timestamp(frames[0]!.packets[0]!);
  const sinceReport = ((first - report.rtpTimestamp) | 0) / rate + (at - frames[0]!.at) / 1_000;
  const now = ntp + BigInt(Math.round(sinceReport * 2 ** 32));
  return senderReport(
    ssrc,
    {
      ntpSeconds: Number(now >> 32n),
      ntpFraction: Number(now & 0xffff_ffffn),
      rtpTimestamp: (report.rtpTimestamp + Math.round(sinceReport * rate)) >>> 0,
      packets,
      bytes,
    },
    'recorded',
  );
}

function write(packet: Buffer, id: number | undefined, bytes: number, value: () => number): void {
  const at = id === undefined ? -1 : findExtension(packet, id);
  if (at >= 0) packet.writeUIntBE(value(), at, bytes);
}

/** An NTP timestamp, such as that of abs-capture-time. */
function shiftTime(packet: Buffer, id: number | undefined, ms: number): void {
  const at = id === undefined ? -1 : findExtension(packet, id);
  if (at < 0) return;
  packet.writeBigUInt64BE(
    BigInt.asUintN(64, packet.readBigUInt64BE(at) + BigInt(Math.round((ms / 1_000) * 2 ** 32))),
    at,
  );
}

function readEncodings(offer: string, codec: VideoCodec, dump: readonly DumpedPacket[]): Encoding[] {
  const { tracks } = negotiatePublisher(readOffer(offer), codec);
  const reports = new Map<number, SenderReport>();
  const bySsrc = new Map<number, DumpedPacket[]>();
  for (const dumped of dump) {
    if (isRtcp(dumped.packet)) {
      for (const message of readRtcp(dumped.packet)) {
        if (message.type === 'sender-report') reports.set(message.ssrc, message.report);
      }
    } else {
      const ofSsrc = bySsrc.get(ssrc(dumped.packet)) ?? [];
      bySsrc.set(ssrc(dumped.packet), ofSsrc);
      ofSsrc.push(dumped);
    }
  }
  return [...bySsrc].map(([ssrc, packets]) => {
    const type = payloadType(packets[0]!.packet);
    const track = tracks.find(({ format, redundancy }) => format.payloadType === type || redundancy === type);
    if (!track) throw new Error(`the recording has packets of type ${type}, which the server does not take`);
    const rate = clockRate(track.kind);
    const frames = framesOf(packets, track, rate);
    const last = frames.at(-1)!;
    return {
      ssrc,
      track,
      rate,
      frames,
      intervalMs: (last.at - frames[0]!.at) / (frames.length - 1),
      report: reports.get(ssrc)!,
      position: 0,
      shift: 0,
      sequence: FIRST_SEQUENCE,
      wantsKeyframe: false,
      reportedAt: -Infinity,
      packets: 0,
      bytes: 0,
    };
  });
}

function framesOf(dumped: readonly DumpedPacket[], { kind, format }: PublishedTrack, rate: number): Frame[] {
  const info = emptyPayloadInfo();
  const startsKeyframe = (packet: Buffer): boolean => {
    if (kind === 'audio') return true;
    readPayload(format.codec as VideoCodec, withoutExtensions(packet), info);
    return info.startsKeyframe;
  };
  const frames: { at: number; isKeyframe: boolean; packets: Buffer[] }[] = [];
  const [first] = dumped;
  for (const { packet } of dumped) {
    const before = frames.at(-1);
    if (before && timestamp(before.packets[0]!) === timestamp(packet)) {
      before.packets.push(packet);
      before.isKeyframe ||= startsKeyframe(packet);
    } else {
      const at = first!.at + (((timestamp(packet) - timestamp(first!.packet)) | 0) * 1_000) / rate;
      frames.push({ at, isKeyframe: startsKeyframe(packet), packets: [packet] });
    }
  }
  const begin = frames.findIndex(({ isKeyframe }) => isKeyframe);
  if (begin < 0) throw new Error('the recording has no keyframe');
  return frames.slice(begin);
}

/** What is behind the payload descriptor, which is written anew for each viewer. */
export function contentOf(codec: VideoCodec, packet: Buffer): string {
  const info = emptyPayloadInfo();
  readPayload(codec, packet, info);
  return packet.toString('latin1', payloadStart(packet) + info.dataAt, payloadEnd(packet));
}

/** The reader changes nothing, and the recording is read again. */
function withoutExtensions(packet: Buffer): Buffer {
  return keepExtensions(Buffer.from(packet), { dependencyDescriptor: undefined, captureTime: undefined });
}

import { randomInt } from 'node:crypto';
import type { AddSourceOptions } from '../../engine/media-session.js';
import type { AddedTracks, SourceFrame, TrackKind, VideoCodec } from '../../engine/media-track.js';
import type { SourceTrack } from '../producer/source.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import { RtpPacketWriter } from '../rtp/rtp-packet-writer.js';
import { clockRate } from '../../sdp/codecs.js';
import { payloadsOf } from './payloads-of.js';

/** Takes the packets of a source, by the index of its encodings: audio before video. */
export interface PacketOutput {
  /** @param sequence extended: it never wraps @returns false if the packet cannot be taken */
  sendPacket(encoding: number, sequence: number, packet: Buffer): boolean;
  sendClock(encoding: number, report: SenderReport): void;
}

/** About as often as senders of WebRTC. */
const SENDER_REPORT_EVERY_MS = 1_000;
/** Seconds from 1900, where NTP begins, to 1970. */
const NTP_EPOCH_S = 2_208_988_800;
/** Any payload types serve: each viewer has its own. */
const PAYLOAD_TYPES: Readonly<Record<TrackKind, number>> = { audio: 111, video: 96 };

interface Track {
  readonly codec: VideoCodec | 'opus';
  readonly encoding: number;
  readonly packets: RtpPacketWriter;
  frames: number;
  reportedAt: number;
  /** A packet could not be taken: what follows needs a keyframe. */
  isPaused: boolean;
}

/**
 * Turns the frames of one source into RTP packets and sender reports. Once a second, a packet of video says when its
 * frame was captured, as far as the server knows: when the first frame arrived, and the encoder's clock since then.
 */
export class FramePacketizer {
  readonly #output: PacketOutput;
  readonly #now: () => number;
  readonly #tracks: Readonly<Partial<Record<TrackKind, Track>>>;
  /** Wall-clock time of the timestamp 0, in ms since 1970. */
  #origin: number | undefined;

  /** @param now milliseconds since 1970 */
  constructor(tracks: readonly SourceTrack[], output: PacketOutput, now: () => number = Date.now) {
    this.#output = output;
    this.#now = now;
    this.#tracks = Object.fromEntries(
      tracks.map(({ kind, format: { codec, payloadType } }, encoding) => [
        kind,
        {
          codec,
          encoding,
          packets: new RtpPacketWriter({ payloadType, ssrc: randomInt(1, 2 ** 32) }),
          frames: 0,
          reportedAt: -Infinity,
          isPaused: false,
        },
      ]),
    );
  }

  /** A frame of a kind that the source does not have is left out. */
  write({ kind, data, isKeyframe, timestampMs }: SourceFrame): void {
    const track = this.#tracks[kind];
    if (!track) return;
    const { codec, encoding, packets } = track;
    const timestamp = Math.round((timestampMs * clockRate(kind)) / 1_000);
    track.frames++;
    const report = this.#report(track, timestampMs, timestamp);
    const captured = kind === 'video' ? report : undefined;
    if (isKeyframe || codec === 'opus') track.isPaused = false;
    const payloads = codec === 'opus' ? [data] : payloadsOf(codec, { data, isKeyframe, number: track.frames });
    for (const [index, payload] of payloads.entries()) {
      if (track.isPaused) return;
      const isLast = index === payloads.length - 1;
      const { sequence, packet } = packets.next(payload, timestamp, isLast, index === 0 ? captured : undefined);
      track.isPaused = !this.#output.sendPacket(encoding, sequence, packet);
    }
  }

  /**
   * Both kinds have one clock, so that players keep them in sync.
   * @returns undefined: the last report is recent
   */
  #report(track: Track, timestampMs: number, timestamp: number): SenderReport | undefined {
    const now = this.#now();
    this.#origin ??= now - timestampMs;
    if (now - track.reportedAt < SENDER_REPORT_EVERY_MS) return undefined;
    track.reportedAt = now;
    const time = this.#origin + timestampMs;
    const report: SenderReport = {
      ntpSeconds: Math.floor(time / 1_000) + NTP_EPOCH_S,
      ntpFraction: Math.floor(((time % 1_000) / 1_000) * 2 ** 32),
      rtpTimestamp: timestamp >>> 0,
      packets: 0,
      bytes: 0,
    };
    this.#output.sendClock(track.encoding, report);
    return report;
  }
}

/** The tracks as a source has them: audio before video, each of one encoding. */
export function addedSourceTracks(
  { audio, video }: AddedTracks,
  { onKeyframeRequest }: Pick<AddSourceOptions, 'onKeyframeRequest'> = {},
): readonly SourceTrack[] {
  const track = (kind: TrackKind, codec: VideoCodec | 'opus', profile = ''): SourceTrack => ({
    kind,
    format: { codec, profile, payloadType: PAYLOAD_TYPES[kind], parameters: '' },
    encodingIds: ['0'],
    ...(kind === 'video' && !onKeyframeRequest && { keepsGroup: true }),
  });
  return [
    ...(audio ? [track('audio', audio.codec)] : []),
    ...(video ? [track('video', video.codec, video.profile)] : []),
  ];
}

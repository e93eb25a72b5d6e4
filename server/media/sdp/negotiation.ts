import { MediaError } from '../engine/media-error.js';
import type { ViewingSession } from '../engine/media-session.js';
import type { TrackKind, VideoCodec } from '../engine/media-track.js';
import {
  ABSOLUTE_SEND_TIME,
  CAPTURE_TIME,
  DEPENDENCY_DESCRIPTOR,
  MID,
  PLAYOUT_DELAY,
  REPAIRED_RID,
  RID,
  TRANSPORT_SEQUENCE,
} from './extension-uris.js';
import { requireBundled, requireWhole, type WantedMedia } from './whole-offer.js';
import type { AnsweredMedia, SentTrack } from './answer.js';
import { chooseFormat, sendableFormats, type Format } from './codecs.js';
import type { Offer } from './offer.js';
import {
  CONGESTION_FEEDBACK,
  type CongestionFeedback,
  type DeclaredEncoding,
  type LossFeedback,
  type OfferedMedia,
} from './offered-media.js';

/** A track that a publisher will send. */
export interface PublishedTrack {
  readonly kind: TrackKind;
  readonly format: Format;
  /** The RTX payload type, if there is one. */
  readonly retransmission: number | undefined;
  /** The payload type of redundancy for audio (RFC 2198), if there is one. */
  readonly redundancy: number | undefined;
  /** Whether lost packets are requested. */
  readonly isNacked: boolean;
  /** Whether the publisher takes keyframe requests, by its offer. */
  readonly isAskable: boolean;
  readonly encodings: readonly DeclaredEncoding[];
  readonly extensions: PublisherExtensions;
}

/** The ids of header extensions. Undefined: not negotiated. */
export interface PublisherExtensions {
  readonly rid: number | undefined;
  readonly repairedRid: number | undefined;
  readonly transportSequence: number | undefined;
  readonly absoluteSendTime: number | undefined;
  readonly dependencyDescriptor: number | undefined;
  readonly captureTime: number | undefined;
}

/** An m-line that sends to a viewer. */
export interface SentMedia {
  readonly mid: string;
  readonly kind: TrackKind;
  readonly formats: readonly Format[];
  readonly offered: OfferedMedia;
  /** URIs of offered extensions. */
  readonly extensions: readonly string[];
  /** The payload type of redundancy for audio (RFC 2198), if there is one. */
  readonly redundancy: number | undefined;
  readonly track: SentTrack;
}

/** The bitrate of a publisher's encoder before the first feedback, bit/s. */
const START_BITRATE = 1_500_000;

/**
 * Accepts one audio and one video track, each in one format.
 * @throws {MediaError} `invalid_sdp` if the offer sends nothing, `no_common_codec`, and as `requireWhole`
 */
export function negotiatePublisher(
  offer: Offer,
  codec?: VideoCodec,
): { tracks: PublishedTrack[]; media: AnsweredMedia[] } {
  const isSending = (media: OfferedMedia): media is WantedMedia =>
    media.kind !== undefined && !media.disabled && (media.direction === 'sendonly' || media.direction === 'sendrecv');
  const sending = offer.media.filter(isSending);
  if (!sending.length) {
    throw new MediaError('invalid_sdp', 'the SDP offer cannot be used: it sends neither audio nor video');
  }
  requireWhole(sending);
  const tracks: PublishedTrack[] = [];
  const media = offer.media.map((offered): AnsweredMedia => {
    if (!isUsable(offered)) return { offered, direction: 'rejected' };
    const format = chooseFormat(offered.formats, codec);
    if (!isSending(offered)) return { offered, direction: 'inactive', formats: [format ?? offered.formats[0]!] };
    if (!format) throw new MediaError('no_common_codec', `the SDP offer has no ${codec} video`);
    const { kind, extensions } = offered;
    const feedback = kind === 'video' ? publisherFeedback(offered, format) : undefined;
    // Without the RID extension, the packets of several encodings could not be distinguished.
    const encodings =
      offered.encodings.some(({ rid }) => rid) && extensions[RID] === undefined ? [UNDECLARED] : offered.encodings;
    const redundancy = offered.redundancies[format.payloadType];
    const lossFeedback = lossFeedbackOf(offered, format);
    tracks.push({
      kind,
      format,
      retransmission: offered.retransmissions[format.payloadType],
      redundancy,
      isNacked: kind === 'video' || lossFeedback.includes('nack'),
      isAskable: lossFeedback.includes('nack pli') || lossFeedback.includes('ccm fir'),
      encodings,
      extensions: {
        rid: extensions[RID],
        repairedRid: extensions[REPAIRED_RID],
        transportSequence: feedback === 'transport-cc' ? extensions[TRANSPORT_SEQUENCE] : undefined,
        absoluteSendTime: extensions[ABSOLUTE_SEND_TIME],
        dependencyDescriptor: format.codec === 'av1' ? extensions[DEPENDENCY_DESCRIPTOR] : undefined,
        captureTime: kind === 'video' ? extensions[CAPTURE_TIME] : undefined,
      },
    });
    const rids = encodings.flatMap(({ rid }) => rid ?? []);
    return {
      offered,
      direction: 'recvonly',
      formats: [format],
      extensions: [
        MID,
        ...(rids.length ? [RID, REPAIRED_RID] : []),
        ...(feedback === 'transport-cc' ? [TRANSPORT_SEQUENCE, ABSOLUTE_SEND_TIME] : []),
        ...passedExtensions(kind, [format]),
      ],
      congestionFeedback: feedback,
      lossFeedback,
      redundancy,
      startBitrate: START_BITRATE,
      rids,
      isSimulcast: encodings.length > 1,
    };
  });
  return { tracks, media };
}

/**
 * Accepts every format that can be sent, because the publisher's format may not be known yet and may change. The first
 * m-line of a kind is the main one.
 * @param describe describes the track of an m-line; `hasRtx`: the viewer accepts RTX
 * @param preferred the congestion feedback to use if the viewer supports it
 * @throws {MediaError} `invalid_sdp` if the offer receives nothing, `no_common_codec`, `bundle_required`
 */
export function negotiateSubscriber(
  offer: Offer,
  describe: (kind: TrackKind, mid: string, isMain: boolean, hasRtx: boolean) => SentTrack,
  preferred: CongestionFeedback = 'transport-cc',
): {
  formats: Record<TrackKind, readonly Format[]>;
  sent: SentMedia[];
  media: AnsweredMedia[];
} {
  const isReceiving = (media: OfferedMedia): media is WantedMedia =>
    media.kind !== undefined && !media.disabled && (media.direction === 'recvonly' || media.direction === 'sendrecv');
  const receiving = offer.media.filter(isReceiving);
  if (!receiving.length) {
    throw new MediaError('invalid_sdp', 'the SDP offer cannot be used: it receives neither audio nor video');
  }
  requireBundled(receiving);
  const sent: SentMedia[] = [];
  // One feedback type for all m-lines: numbered audio packets would be reported as often as video packets.
  const types = offer.media.some((media) => media.kind === 'video' && supports(media, preferred))
    ? [preferred]
    : VIEWER_FEEDBACK;
  const media = offer.media.map((offered): AnsweredMedia => {
    const formats = sendableFormats(offered.formats);
    if (!isUsable(offered) || !formats.length) return { offered, direction: 'rejected' };
    if (!isReceiving(offered)) return { offered, direction: 'inactive', formats };
    const { kind, mid } = offered;
    const hasRtx = formats.some(({ payloadType }) => payloadType in offered.retransmissions);
    const track = describe(kind, mid, !sent.some((other) => other.kind === kind), hasRtx);
    const feedback = viewerFeedback(offered, types);
    const redundancy = offered.redundancies[formats[0]!.payloadType];
    const extensions = [...feedback.extensions, ...passedExtensions(kind, formats)];
    sent.push({ mid, kind, formats, offered, track, redundancy, extensions });
    const lossFeedback = formats.flatMap((format) => lossFeedbackOf(offered, format));
    const isNacked = kind === 'video' || canRepeatAudio(redundancy, feedback.congestionFeedback);
    return {
      offered,
      direction: 'sendonly',
      formats,
      track,
      redundancy,
      ...feedback,
      extensions,
      lossFeedback: isNacked ? lossFeedback : [],
    };
  });
  if (!sent.length) throw noCommonCodec();
  const formatsOf = (wanted: TrackKind) => sent.find(({ kind }) => kind === wanted)?.formats ?? [];
  return { formats: { audio: formatsOf('audio'), video: formatsOf('video') }, sent, media };
}

/** Whether it can carry media. */
export const isUsable = ({ kind, disabled, obstacle }: OfferedMedia): boolean =>
  kind !== undefined && !disabled && obstacle === undefined;

/** The mid of the first m-line of each kind. */
export function mainMids(sent: readonly SentMedia[]): ViewingSession['mids'] {
  const midOf = (wanted: TrackKind) => sent.find(({ kind }) => kind === wanted)?.mid;
  const [audio, video] = [midOf('audio'), midOf('video')];
  return { ...(audio === undefined ? {} : { audio }), ...(video === undefined ? {} : { video }) };
}

/** What is passed on from a publisher to viewers. */
const passedExtensions = (kind: TrackKind, formats: readonly Format[]): string[] => [
  ...(formats.some(({ codec }) => codec === 'av1') ? [DEPENDENCY_DESCRIPTOR] : []),
  ...(kind === 'video' ? [CAPTURE_TIME] : []),
];

/** A later offer of a session may change nothing but its transport. @throws {MediaError} `invalid_sdp` */
export function mustHaveSameMedia(answered: readonly AnsweredMedia[], offer: Offer): void {
  const shape = (media: Offer['media']) => media.map(({ type, mid }) => `${type} ${mid}`).join('\n');
  if (shape(offer.media) !== shape(answered.map(({ offered }) => offered))) {
    throw new MediaError('invalid_sdp', 'the SDP offer cannot be used: its m-lines are not those of the session');
  }
}

/**
 * The congestion feedback for a publisher. Transport feedback only if packets carry their send time: without it, delays
 * of a busy event loop would count as network delays. Else REMB.
 */
function publisherFeedback(
  { extensions, congestionFeedback }: OfferedMedia,
  { payloadType }: Format,
): CongestionFeedback | undefined {
  const offered = congestionFeedback[payloadType] ?? [];
  if (offered.includes('transport-cc') && TRANSPORT_SEQUENCE in extensions && ABSOLUTE_SEND_TIME in extensions) {
    return 'transport-cc';
  }
  return offered.includes('goog-remb') ? 'goog-remb' : undefined;
}

/** Congestion feedback of viewers, the best first: transport feedback, or the viewer's own estimate. */
const VIEWER_FEEDBACK = CONGESTION_FEEDBACK;
/** The header extension that each feedback type needs. */
const FEEDBACK_EXTENSIONS: Readonly<Record<CongestionFeedback, string>> = {
  'transport-cc': TRANSPORT_SEQUENCE,
  'goog-remb': ABSOLUTE_SEND_TIME,
};

const supports = ({ extensions, congestionFeedback }: OfferedMedia, type: CongestionFeedback): boolean =>
  FEEDBACK_EXTENSIONS[type] in extensions && Object.values(congestionFeedback).some((each) => each.includes(type));

/** The first feedback type that the viewer supports. */
function viewerFeedback(offered: OfferedMedia, types: readonly CongestionFeedback[]) {
  const feedback = types.find((type) => supports(offered, type));
  const always = [MID, PLAYOUT_DELAY];
  return {
    extensions: feedback ? [...always, FEEDBACK_EXTENSIONS[feedback]] : always,
    congestionFeedback: feedback,
  };
}

/** Keyframes are for video alone. */
const lossFeedbackOf = ({ kind, lossFeedback }: OfferedMedia, { payloadType }: Format): readonly LossFeedback[] =>
  (lossFeedback[payloadType] ?? []).filter((feedback) => kind === 'video' || feedback === 'nack');

/**
 * Whether the server answers a viewer's NACKs for audio. Opus has no RTX, and SRTP forbids two packets of one sequence
 * number that differ (RFC 7714 section 8.4). So lost packets are carried by later ones as redundancy, or they are sent
 * again unchanged, which is impossible if they have a number or a time of sending.
 */
const canRepeatAudio = (redundancy: number | undefined, feedback: CongestionFeedback | undefined): boolean =>
  redundancy !== undefined || feedback === undefined;

const UNDECLARED: DeclaredEncoding = { rid: undefined, ssrc: undefined, retransmissionSsrc: undefined };

const noCommonCodec = (): MediaError =>
  new MediaError('no_common_codec', 'the SDP offer has none of the supported codecs: Opus, VP8, H.264, VP9, AV1');

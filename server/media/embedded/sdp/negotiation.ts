import { MediaError, type TrackKind, type VideoCodec } from '../../media-engine.js';
import type { AnsweredMedia, SentTrack } from './answer.js';
import { chooseFormat, sendableFormats, type Format } from './codecs.js';
import { ABSOLUTE_SEND_TIME, MID, PLAYOUT_DELAY, REPAIRED_RID, RID, TRANSPORT_SEQUENCE } from './extensions.js';
import type { CongestionFeedback, DeclaredEncoding, Offer, OfferedMedia } from './offer.js';

/** What a publisher will send of one kind. */
export interface PublishedTrack {
  readonly kind: TrackKind;
  readonly format: Format;
  /** The payload type of what is sent again, where that has one of its own. */
  readonly retransmission: number | undefined;
  readonly encodings: readonly DeclaredEncoding[];
  readonly extensions: PublisherExtensions;
}

/** The ids of what its packets say of themselves. Absent: they do not. */
export interface PublisherExtensions {
  readonly rid: number | undefined;
  readonly repairedRid: number | undefined;
  readonly transportSequence: number | undefined;
  readonly absoluteSendTime: number | undefined;
}

/** An m-line on which a viewer is sent something. */
export interface SentMedia {
  readonly mid: string;
  readonly kind: TrackKind;
  readonly formats: readonly Format[];
  readonly offered: OfferedMedia;
  /** Of those offered, by URI. */
  readonly extensions: readonly string[];
  readonly source: SentTrack;
}

/** What a publisher's encoder begins with before the first feedback, bit/s. */
const START_BITRATE = 1_500_000;

/**
 * Takes one audio and one video track, each in one format.
 * @throws {MediaError} `invalid_sdp` when it sends nothing, `no_common_codec`
 */
export function negotiatePublisher(
  offer: Offer,
  codec?: VideoCodec,
): { tracks: PublishedTrack[]; media: AnsweredMedia[] } {
  const sending = ({ direction }: OfferedMedia) => direction === 'sendonly' || direction === 'sendrecv';
  if (!offer.media.some((media) => media.kind && sending(media))) {
    throw new MediaError('invalid_sdp', 'the SDP offer cannot be used: it sends neither audio nor video');
  }
  const tracks: PublishedTrack[] = [];
  const media = offer.media.map((offered): AnsweredMedia => {
    const { kind } = offered;
    const wanted = sending(offered) && kind && !tracks.some((track) => track.kind === kind);
    const format = chooseFormat(offered.formats, codec);
    if (wanted && !format && codec && offered.formats.length) {
      throw new MediaError('no_common_codec', `the SDP offer has no ${codec} video`);
    }
    if (!offered.usable) return { offered, direction: 'rejected' };
    if (!wanted || !format) return { offered, direction: 'inactive', formats: [format ?? offered.formats[0]!] };
    const { extensions } = offered;
    const feedback = kind === 'video' ? publisherFeedback(offered) : undefined;
    // Without the extension that names them on the wire, nothing could tell them apart.
    const encodings =
      offered.encodings.some(({ rid }) => rid) && !extensions.has(RID) ? [UNDECLARED] : offered.encodings;
    tracks.push({
      kind,
      format,
      retransmission: offered.retransmissions.get(format.payloadType),
      encodings,
      extensions: {
        rid: extensions.get(RID),
        repairedRid: extensions.get(REPAIRED_RID),
        transportSequence: feedback === 'transport-cc' ? extensions.get(TRANSPORT_SEQUENCE) : undefined,
        absoluteSendTime: extensions.get(ABSOLUTE_SEND_TIME),
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
      ],
      congestionFeedback: feedback,
      startBitrate: START_BITRATE,
      rids,
    };
  });
  if (!tracks.length) throw noCommonCodec();
  return { tracks, media };
}

/**
 * Takes every format that could be sent: what the publisher sends may not be known yet, and may change. The first
 * m-line of a kind is the main one.
 * @param source what is said of what is sent on an m-line; `canRepeat`: it may be sent again on an SSRC of its own
 * @param preferred how the viewer is to tell what its network carries, if it can
 * @throws {MediaError} `invalid_sdp` when it receives nothing, `no_common_codec`
 */
export function negotiateSubscriber(
  offer: Offer,
  source: (kind: TrackKind, mid: string, isMain: boolean, canRepeat: boolean) => SentTrack,
  preferred: CongestionFeedback = 'transport-cc',
): {
  formats: Record<TrackKind, readonly Format[]>;
  lines: SentMedia[];
  media: AnsweredMedia[];
} {
  const receiving = ({ direction }: OfferedMedia) => direction === 'recvonly' || direction === 'sendrecv';
  if (!offer.media.some((media) => media.kind && receiving(media))) {
    throw new MediaError('invalid_sdp', 'the SDP offer cannot be used: it receives neither audio nor video');
  }
  const lines: SentMedia[] = [];
  // One way for all: packets of sound that are numbered would be reported on as often as those of the picture.
  const ways = offer.media.some((media) => media.kind === 'video' && canTell(media, preferred))
    ? [preferred]
    : VIEWER_FEEDBACK;
  const media = offer.media.map((offered): AnsweredMedia => {
    const { kind, usable, mid } = offered;
    const formats = sendableFormats(offered.formats);
    if (!usable || !kind || !formats.length) return { offered, direction: 'rejected' };
    if (!receiving(offered)) return { offered, direction: 'inactive', formats };
    const canRepeat = formats.some(({ payloadType }) => offered.retransmissions.has(payloadType));
    const sent = source(kind, mid, !lines.some((line) => line.kind === kind), canRepeat);
    const feedback = viewerFeedback(offered, ways);
    lines.push({ mid, kind, formats, offered, source: sent, extensions: feedback.extensions });
    return { offered, direction: 'sendonly', formats, source: sent, ...feedback };
  });
  if (!lines.length) throw noCommonCodec();
  const formatsOf = (wanted: TrackKind) => lines.find(({ kind }) => kind === wanted)?.formats ?? [];
  return { formats: { audio: formatsOf('audio'), video: formatsOf('video') }, lines, media };
}

/** A session's later offer may change its transport and nothing else. @throws {MediaError} `invalid_sdp` */
export function mustHaveSameMedia(answered: readonly AnsweredMedia[], offer: Offer): void {
  const shape = (media: Offer['media']) => media.map(({ type, mid }) => `${type} ${mid}`).join('\n');
  if (shape(offer.media) !== shape(answered.map(({ offered }) => offered))) {
    throw new MediaError('invalid_sdp', 'the SDP offer cannot be used: its m-lines are not those of the session');
  }
}

/**
 * How a publisher is told what its network carries: of each packet when it came, where the packets also say when they
 * were sent, so that our own busy moments do not count as its network's; else by the bitrate alone.
 */
function publisherFeedback({ extensions, congestionFeedback }: OfferedMedia): CongestionFeedback | undefined {
  if (
    congestionFeedback.has('transport-cc') &&
    extensions.has(TRANSPORT_SEQUENCE) &&
    extensions.has(ABSOLUTE_SEND_TIME)
  ) {
    return 'transport-cc';
  }
  return congestionFeedback.has('goog-remb') ? 'goog-remb' : undefined;
}

/** How a viewer can tell what its network carries, the best first: of each packet, or by its own estimate. */
const VIEWER_FEEDBACK: readonly CongestionFeedback[] = ['transport-cc', 'goog-remb'];
/** What packets must say for that. */
const FEEDBACK_EXTENSIONS: Readonly<Record<CongestionFeedback, string>> = {
  'transport-cc': TRANSPORT_SEQUENCE,
  'goog-remb': ABSOLUTE_SEND_TIME,
};

const canTell = ({ extensions, congestionFeedback }: OfferedMedia, way: CongestionFeedback): boolean =>
  extensions.has(FEEDBACK_EXTENSIONS[way]) && congestionFeedback.has(way);

/** The first of the ways that the viewer has. */
function viewerFeedback(offered: OfferedMedia, ways: readonly CongestionFeedback[]) {
  const feedback = ways.find((way) => canTell(offered, way));
  const always = [MID, PLAYOUT_DELAY];
  return {
    extensions: feedback ? [...always, FEEDBACK_EXTENSIONS[feedback]] : always,
    congestionFeedback: feedback,
  };
}

const UNDECLARED: DeclaredEncoding = { rid: undefined, ssrc: undefined, retransmissionSsrc: undefined };

const noCommonCodec = (): MediaError =>
  new MediaError('no_common_codec', 'the SDP offer has no codec in common with us: Opus, VP8, H.264, VP9, AV1');

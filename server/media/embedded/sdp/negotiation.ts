import { MediaError, type TrackKind, type VideoCodec } from '../../media-engine.js';
import type { AnsweredMedia, SentSource } from './answer.js';
import { chooseFormat, sendableFormats, type Format } from './codecs.js';
import type { Offer, OfferedMedia } from './offer.js';

/** What a publisher will send of one kind. */
export interface PublishedTrack {
  readonly kind: TrackKind;
  readonly format: Format;
  /** Absent when the offer does not say: then it is what comes first. */
  readonly ssrc: number | undefined;
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
    tracks.push({ kind, format, ssrc: offered.ssrc });
    return { offered, direction: 'recvonly', formats: [format], startBitrate: START_BITRATE };
  });
  if (!tracks.length) throw noCommonCodec();
  return { tracks, media };
}

/**
 * Takes every format that could be sent: what the publisher sends may not be known yet, and may change.
 * @throws {MediaError} `invalid_sdp` when it receives nothing, `no_common_codec`
 */
export function negotiateViewer(
  offer: Offer,
  source: (kind: TrackKind) => SentSource,
): { formats: Record<TrackKind, readonly Format[]>; media: AnsweredMedia[] } {
  const receiving = ({ direction }: OfferedMedia) => direction === 'recvonly' || direction === 'sendrecv';
  if (!offer.media.some((media) => media.kind && receiving(media))) {
    throw new MediaError('invalid_sdp', 'the SDP offer cannot be used: it receives neither audio nor video');
  }
  const taken: Record<TrackKind, readonly Format[]> = { audio: [], video: [] };
  const media = offer.media.map((offered): AnsweredMedia => {
    const { kind, usable } = offered;
    const formats = sendableFormats(offered.formats);
    if (!usable || !kind || !formats.length) return { offered, direction: 'rejected' };
    if (!receiving(offered) || taken[kind].length) return { offered, direction: 'inactive', formats };
    taken[kind] = formats;
    return { offered, direction: 'sendonly', formats, source: source(kind) };
  });
  if (!taken.audio.length && !taken.video.length) throw noCommonCodec();
  return { formats: taken, media };
}

const noCommonCodec = (): MediaError =>
  new MediaError('no_common_codec', 'the SDP offer has no codec in common with us: Opus, VP8, H.264, VP9, AV1');

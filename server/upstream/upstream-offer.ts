import { mainMids, negotiatePublisher, negotiateSubscriber } from '../media/sdp/negotiation.js';
import { readOffer } from '../media/sdp/offer.js';
import type { ViewingSession } from '../media/engine/media-session.js';
import type { TrackKind, VideoCodec } from '../media/engine/media-track.js';

/** The offer of a publisher, for an upstream. */
export interface PublisherOffer {
  readonly sdp: string;
  /** The tracks that it will send. */
  readonly kinds: readonly TrackKind[];
}

/**
 * Checks the offer of a publisher and leaves only the codec that the publisher asks for: an upstream could accept
 * another one.
 * @throws {MediaError} `invalid_sdp`, `no_common_codec`
 */
export function publisherOffer(sdp: string, codec: VideoCodec | undefined): PublisherOffer {
  const offer = readOffer(sdp);
  const kinds = negotiatePublisher(offer, codec).tracks.map(({ kind }) => kind);
  if (codec === undefined) return { sdp, kinds };
  const dropped = offer.media.flatMap(({ kind, formats, retransmissions, payloads }) => {
    if (kind !== 'video') return [];
    const kept = formats.filter((format) => format.codec === codec).map(({ payloadType }) => payloadType);
    const repairs = kept.flatMap((payloadType) => retransmissions[payloadType] ?? []);
    const wanted = new Set([...kept, ...repairs].map(String));
    // A line without the codec stays as it is: it is not one that sends.
    return kept.length > 0 ? payloads.filter((payload) => !wanted.has(payload)) : [];
  });
  return { sdp: withoutVideoFormats(sdp, new Set(dropped)), kinds };
}

/**
 * Checks the offer of a viewer.
 * @returns the mid of the first m-line of each kind
 * @throws {MediaError} `invalid_sdp`, `no_common_codec`
 */
export function viewerMids(sdp: string): ViewingSession['mids'] {
  const track = { ssrc: 1, cname: '', stream: '', track: '' };
  return mainMids(negotiateSubscriber(readOffer(sdp), () => track).sent);
}

/** Payload types are numbered for each m-line on their own, so that only lines of video are changed. */
function withoutVideoFormats(sdp: string, payloads: ReadonlySet<string>): string {
  const kept: string[] = [];
  let isVideo = false;
  for (const line of sdp.split('\r\n')) {
    if (line.startsWith('m=')) {
      isVideo = line.startsWith('m=video');
      kept.push(isVideo ? withoutFormats(line, payloads) : line);
      continue;
    }
    const [, payload] = (isVideo && FORMAT_LINE.exec(line)) || [];
    if (payload === undefined || !payloads.has(payload)) kept.push(line);
  }
  return kept.join('\r\n');
}

const FORMAT_LINE = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+) /;

function withoutFormats(line: string, payloads: ReadonlySet<string>): string {
  const [media, port, protocol, ...formats] = line.split(' ');
  return [media, port, protocol, ...formats.filter((format) => !payloads.has(format))].join(' ');
}

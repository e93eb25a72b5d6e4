import { randomBytes, randomInt } from 'node:crypto';
import type { ViewOptions } from '../../engine/media-session.js';
import type { TrackKind } from '../../engine/media-track.js';
import { ExtensionBlock } from '../rtp/extension-block.js';
import {
  ABSOLUTE_SEND_TIME,
  CAPTURE_TIME,
  DEPENDENCY_DESCRIPTOR,
  MID,
  PLAYOUT_DELAY,
  TRANSPORT_SEQUENCE,
} from '../../sdp/extension-uris.js';
import type { SentTrack } from '../../sdp/answer.js';
import type { SentMedia } from '../../sdp/negotiation.js';
import type { DownTrackParameters } from './down-track.js';

/** What a viewer's offer and answer agreed on. */
export interface SubscriberParameters {
  /** In the order of the answer. */
  readonly tracks: readonly DownTrackParameters[];
  /** Whether the viewer agreed to send congestion feedback. */
  readonly hasCongestionFeedback: boolean;
  /** Parameters for an m-line that was not offered, copied from the first m-line of its kind. */
  additionalTrack(kind: TrackKind, mid: string): DownTrackParameters | undefined;
}

const CONGESTION_EXTENSIONS: ReadonlySet<string> = new Set([TRANSPORT_SEQUENCE, ABSOLUTE_SEND_TIME]);
const MID_VALUE = /^[\x21-\x7e]{1,32}$/;

const newSsrc = (): number => randomInt(1, 2 ** 32);

/** Describes the tracks of one viewer for the answer. The main audio and video share a stream, so they play in sync. */
export function describeSentTracks(): (kind: TrackKind, mid: string, isMain: boolean, hasRtx: boolean) => SentTrack {
  const stream = randomBytes(8).toString('hex');
  return (kind, mid, isMain, hasRtx) => ({
    ssrc: newSsrc(),
    retransmissionSsrc: hasRtx ? newSsrc() : undefined,
    // Other m-lines show other sources, with clocks of their own.
    cname: isMain ? stream : `${stream}-${mid}`,
    stream: isMain ? stream : `${stream}-${mid}`,
    track: isMain ? kind : `${kind}-${mid}`,
  });
}

export function subscriberParameters(media: readonly SentMedia[], { playoutDelay }: ViewOptions): SubscriberParameters {
  const extensionsOf = ({ kind, offered, extensions }: SentMedia, mid: string) => {
    const idOf = (uri: string) => (extensions.includes(uri) ? offered.extensions[uri] : undefined);
    const midId = idOf(MID);
    // Audio follows the video's delay by lip sync. It needs the extension only for a delay that the viewer asked for.
    const delayId = playoutDelay || kind === 'video' ? idOf(PLAYOUT_DELAY) : undefined;
    const block = new ExtensionBlock({
      mid: midId === undefined ? undefined : { id: midId, value: mid },
      playoutDelay: delayId === undefined ? undefined : { id: delayId, ...playoutDelay },
      transportSequence: idOf(TRANSPORT_SEQUENCE),
      absoluteSendTime: idOf(ABSOLUTE_SEND_TIME),
      passed: { dependencyDescriptor: idOf(DEPENDENCY_DESCRIPTOR), captureTime: idOf(CAPTURE_TIME) },
    });
    return block.isEmpty ? undefined : block;
  };
  const parametersOf = (sent: SentMedia, mid: string, ids: TrackIds): DownTrackParameters => ({
    mid,
    kind: sent.kind,
    formats: sent.formats,
    redundancy: sent.redundancy,
    retransmissions: sent.offered.retransmissions,
    ...ids,
    extensions: extensionsOf(sent, mid),
  });
  return {
    hasCongestionFeedback: media.some(({ extensions }) => extensions.some((uri) => CONGESTION_EXTENSIONS.has(uri))),
    tracks: media.map((sent) => {
      const { ssrc, retransmissionSsrc, cname } = sent.track;
      return parametersOf(sent, sent.mid, { ssrc, retransmissionSsrc, cname });
    }),
    additionalTrack: (kind, mid) => {
      const first = media.find((sent) => sent.kind === kind);
      // The answer does not name the SSRC, so the viewer needs the MID extension to assign the packets.
      if (!first || !(MID in first.offered.extensions) || !MID_VALUE.test(mid)) return undefined;
      const cname = `${first.track.stream}-${mid}`;
      return parametersOf(first, mid, { ssrc: newSsrc(), retransmissionSsrc: undefined, cname });
    },
  };
}

type TrackIds = Pick<DownTrackParameters, 'ssrc' | 'retransmissionSsrc' | 'cname'>;

import { randomBytes, randomInt } from 'node:crypto';
import type { TrackKind, ViewOptions } from '../../media-engine.js';
import type { DownTrackParameters } from './down-track.js';
import { ExtensionBlock } from '../rtp/header-extensions.js';
import type { SentTrack } from '../sdp/answer.js';
import { ABSOLUTE_SEND_TIME, MID, PLAYOUT_DELAY, TRANSPORT_SEQUENCE } from '../sdp/extensions.js';
import type { SentMedia } from '../sdp/negotiation.js';

/** What a viewer's offer and answer agreed on. */
export interface SubscriberParameters {
  /** Those of the answer, in its order. */
  readonly lines: readonly DownTrackParameters[];
  /** Whether the viewer has agreed to tell what its network carries. */
  readonly tellsCongestion: boolean;
  /** What may be sent on an m-line that was not offered: as on the first of its kind. */
  furtherLine(kind: TrackKind, mid: string): DownTrackParameters | undefined;
}

const CONGESTION_EXTENSIONS: ReadonlySet<string> = new Set([TRANSPORT_SEQUENCE, ABSOLUTE_SEND_TIME]);
const MID_VALUE = /^[\x21-\x7e]{1,32}$/;

const newSsrc = (): number => randomInt(1, 2 ** 32);

/** What a viewer's answer says of the tracks that it is sent: the main ones are of one stream, and play in step. */
export function describeSentTracks(): (kind: TrackKind, mid: string, isMain: boolean, canRepeat: boolean) => SentTrack {
  const stream = randomBytes(8).toString('hex');
  return (kind, mid, isMain, canRepeat) => ({
    ssrc: newSsrc(),
    retransmissionSsrc: canRepeat ? newSsrc() : undefined,
    // What stands beside the main picture and sound is of another source, whose clock is another.
    cname: isMain ? stream : `${stream}-${mid}`,
    stream: isMain ? stream : `${stream}-${mid}`,
    track: isMain ? kind : `${kind}-${mid}`,
  });
}

/** What was agreed on, as the packets need it. */
export function subscriberParameters(lines: readonly SentMedia[], { playoutDelay }: ViewOptions): SubscriberParameters {
  const extensionsOf = ({ kind, offered, extensions }: SentMedia, mid: string) => {
    const idOf = (uri: string) => (extensions.includes(uri) ? offered.extensions.get(uri) : undefined);
    const midId = idOf(MID);
    // Sound follows the picture, unless the viewer asked for it.
    const delayId = playoutDelay || kind === 'video' ? idOf(PLAYOUT_DELAY) : undefined;
    const block = new ExtensionBlock({
      mid: midId === undefined ? undefined : { id: midId, value: mid },
      playoutDelay: delayId === undefined ? undefined : { id: delayId, ...playoutDelay },
      transportSequence: idOf(TRANSPORT_SEQUENCE),
      absoluteSendTime: idOf(ABSOLUTE_SEND_TIME),
    });
    return block.bytes.length ? block : undefined;
  };
  const termsOf = (line: SentMedia, mid: string, source: OutletSource): DownTrackParameters => ({
    mid,
    kind: line.kind,
    formats: line.formats,
    retransmissions: line.offered.retransmissions,
    ...source,
    extensions: extensionsOf(line, mid),
  });
  return {
    tellsCongestion: lines.some(({ extensions }) => extensions.some((uri) => CONGESTION_EXTENSIONS.has(uri))),
    lines: lines.map((line) => {
      const { ssrc, retransmissionSsrc, cname } = line.source;
      return termsOf(line, line.mid, { ssrc, retransmissionSsrc, cname });
    }),
    furtherLine: (kind, mid) => {
      const first = lines.find((line) => line.kind === kind);
      // Only the MID tells the viewer where a packet belongs whose SSRC no answer named.
      if (!first?.offered.extensions.has(MID) || !MID_VALUE.test(mid)) return undefined;
      const cname = `${first.source.stream}-${mid}`;
      return termsOf(first, mid, { ssrc: newSsrc(), retransmissionSsrc: undefined, cname });
    },
  };
}

type OutletSource = Pick<DownTrackParameters, 'ssrc' | 'retransmissionSsrc' | 'cname'>;

import { MediaError } from '../engine/media-error.js';
import type { TrackKind } from '../engine/media-track.js';
import type { MediaObstacle, OfferedMedia } from './offered-media.js';

/** An m-line that is to carry media in the direction that the offer is for. */
export type WantedMedia = OfferedMedia & { readonly kind: TrackKind };

/** What can be sent instead. */
const SUPPORTED: Readonly<Record<TrackKind, string>> = { audio: 'Opus', video: 'VP8, H.264, VP9 or AV1' };

/**
 * An offer of a publisher is answered as a whole or not at all: half an answer would look like success (RFC 9725 section
 * 4.4.3).
 * @param sending the m-lines that send
 * @throws {MediaError} `no_common_codec`, `bundle_required`, `too_many_tracks`, `invalid_sdp`
 */
export function requireWhole(sending: readonly WantedMedia[]): void {
  for (const media of sending) if (media.obstacle) throw refusalOf(media, media.obstacle);
  for (const kind of ['audio', 'video'] as const) {
    if (sending.filter((media) => media.kind === kind).length > 1) {
      const message = `the SDP offer sends two tracks of ${kind}, and a source has one: publish the other as a source of its own`;
      throw new MediaError('too_many_tracks', message);
    }
  }
}

/**
 * A viewer may offer codecs that are never sent, and each m-line needs the one transport.
 * @throws {MediaError} `bundle_required`
 */
export function requireBundled(receiving: readonly WantedMedia[]): void {
  const apart = receiving.find(({ obstacle }) => obstacle === 'unbundled');
  if (apart) throw refusalOf(apart, 'unbundled');
}

function refusalOf({ kind, codecs, protocol }: WantedMedia, obstacle: MediaObstacle): MediaError {
  switch (obstacle) {
    case 'codec': {
      const names = codecs.length ? codecs.join(' or ') : 'an unknown codec';
      const message = `the SDP offer sends ${kind} in ${names}, which this server does not forward: send ${SUPPORTED[kind]}`;
      return new MediaError('no_common_codec', message);
    }
    case 'unbundled':
      return new MediaError(
        'bundle_required',
        'the SDP offer uses several transports, and this server has one for each client: bundle all m-lines (bundlePolicy max-bundle)',
      );
    case 'unencrypted':
      return new MediaError('invalid_sdp', `the SDP offer cannot be used: its ${kind} is not encrypted (${protocol})`);
  }
}

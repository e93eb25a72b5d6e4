import type * as z from 'zod/mini';
import type { Projection, TrackKind } from '../media/media-engine.js';
import { tracksOf } from '../streams/stream-event.js';
import type { projectData } from './command-data.js';
import { SignallingError } from './signalling-error.js';

const KINDS = ['audio', 'video'] as const;

/**
 * One line of `project`, as the engine understands it. The track is named by its id, as `active` has it, or else by its
 * kind; existing clients of one generation know kinds for ids.
 * @throws {SignallingError} `invalid_command` where neither names a track
 */
export function projectionOf(line: z.output<typeof projectData>['mapping'][number]): Projection {
  const { trackId, media, mediaId, layer } = line;
  const kind = KINDS.find((known) => isTrack(known, trackId)) ?? KINDS.find((known) => known === media);
  if (kind) return { kind, mediaId: mediaId ?? undefined, layer: layer ?? undefined };
  throw new SignallingError(
    'invalid_command',
    'the command "project" cannot be read: a line of "mapping" names a track by neither "trackId" nor "media"',
  );
}

function isTrack(kind: TrackKind, trackId: string | null | undefined): boolean {
  return trackId === kind || tracksOf([kind]).some((track) => track.trackId === trackId);
}

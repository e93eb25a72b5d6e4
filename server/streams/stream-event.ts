import type { TrackKind } from '../media/media-engine.js';

/** What the members of a stream are told. The words and shapes are those of wire-facts 3.3. */
export type StreamEvent =
  | { readonly name: 'active'; readonly data: { streamId: string; sourceId: null; tracks: readonly StreamTrack[] } }
  | { readonly name: 'inactive'; readonly data: { streamId: string; sourceId: null } }
  | { readonly name: 'viewercount'; readonly data: { streamId: string; viewercount: number } };

export interface StreamTrack {
  readonly trackId: string;
  readonly media: TrackKind;
}

/** Existing clients know the video track as "0" and the audio track as "1". */
export function tracksOf(kinds: readonly TrackKind[]): readonly StreamTrack[] {
  return kinds.map((media) => ({ trackId: media === 'video' ? '0' : '1', media }));
}

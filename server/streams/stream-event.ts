import type { LayerState, SourceId, TrackKind } from '../media/media-engine.js';
import type { LayerReport } from './layer-report.js';

interface Sourced {
  readonly streamId: string;
  readonly sourceId: SourceId;
}

interface Live extends Sourced {
  readonly tracks: readonly StreamTrack[];
}

/** What a client may hear of its stream. The words and shapes are those of wire-facts 3.3; docs/events.md tells when. */
export type ClientEvent = { readonly seq: number } & (
  | { readonly name: 'active' | 'updated'; readonly data: Live }
  | { readonly name: 'inactive'; readonly data: Sourced }
  /** Both spellings, as clients differ in which one they read. */
  | {
      readonly name: 'viewercount';
      readonly data: { readonly streamId: string; readonly viewercount: number; readonly viewerCount: number };
    }
  | { readonly name: 'layers'; readonly data: LayerReport }
  | { readonly name: 'migrate'; readonly data: { readonly streamId: string } }
);

/** What the videos of a stream come in, by source. Each viewer hears of those that he is shown; see `layerReport`. */
export interface LayersMeasured {
  readonly seq: number;
  readonly name: 'measured';
  /** The live sources with video, the first to begin first. */
  readonly layers: ReadonlyMap<SourceId, readonly LayerState[]>;
}

/** What a stream tells its members. `seq` grows with each, and survives the stream. */
export type StreamEvent = Exclude<ClientEvent, { name: 'layers' }> | LayersMeasured;

export interface StreamTrack {
  readonly trackId: string;
  readonly media: TrackKind;
}

/** Existing clients know the video track as "0" and the audio track as "1". */
export function tracksOf(kinds: readonly TrackKind[]): readonly StreamTrack[] {
  return kinds.map((media) => ({ trackId: media === 'video' ? '0' : '1', media }));
}

import type { LayerState } from '../media/engine/media-figures.js';
import type { SourceId, TrackKind } from '../media/engine/media-track.js';
import type { LayerReport } from './layer-report.js';
import type { StreamId } from './stream-id.js';

interface SourceData {
  readonly streamId: StreamId;
  readonly sourceId: SourceId;
}

interface EndedSourceData extends SourceData {
  /** The publisher or the owner of the stream ended it. Absent: it was lost, or nobody knows. */
  readonly declared?: true;
  /** When it was declared, in milliseconds since 1970. */
  readonly endedOn?: number;
}

interface RecordingData extends SourceData {
  readonly state: 'on' | 'off';
  /** Null: all is well. */
  readonly fault: string | null;
}

interface LoadData extends SourceData {
  readonly overloaded: boolean;
}

interface LiveSourceData extends SourceData {
  readonly tracks: readonly StreamTrack[];
}

/**
 * An event that a client receives about its stream. docs/events.md describes each, and states when it is
 * sent.
 */
export type ClientEvent = { readonly seq: number } & (
  | { readonly name: 'active' | 'updated'; readonly data: LiveSourceData }
  | { readonly name: 'inactive'; readonly data: EndedSourceData }
  /** The live sources whose media has stopped and may come back. */
  | {
      readonly name: 'interrupted';
      readonly data: { readonly streamId: StreamId; readonly sourceIds: readonly SourceId[] };
    }
  /** Both spellings, because clients differ in which one they read. */
  | {
      readonly name: 'viewercount';
      readonly data: { readonly streamId: StreamId; readonly viewercount: number; readonly viewerCount: number };
    }
  /** Only for the publisher of the source. */
  | { readonly name: 'recording'; readonly data: RecordingData }
  /** Only for the publisher of the source: the server has too much to do, or no longer. */
  | { readonly name: 'load'; readonly data: LoadData }
  /** Only for one viewer: the mids of its m-lines whose video is paused. */
  | { readonly name: 'paused'; readonly data: { readonly streamId: StreamId; readonly mediaIds: readonly string[] } }
  | { readonly name: 'layers'; readonly data: LayerReport }
  /** Only for one viewer: its \`view\` is answered when the stream is live. */
  | { readonly name: 'waiting'; readonly data: { readonly streamId: StreamId } }
  | { readonly name: 'migrate'; readonly data: { readonly streamId: StreamId } }
);

/** The layers of every live source. Each viewer receives those of the sources that it is shown; see `layersEvent`. */
export interface LayersMeasured {
  readonly seq: number;
  readonly name: 'layers-measured';
  /** Live sources with video, in the order in which they started. */
  readonly layers: ReadonlyMap<SourceId, readonly LayerState[]>;
}

/** What a stream sends to its members. `seq` grows with each event, also after the stream was empty for a while. */
export type StreamEvent = Exclude<ClientEvent, { name: 'layers' }> | LayersMeasured;

export interface StreamTrack {
  readonly trackId: string;
  readonly media: TrackKind;
}

/** The track ids that existing clients know: "0" for video and "1" for audio. */
export function streamTracks(kinds: readonly TrackKind[]): readonly StreamTrack[] {
  return kinds.map((media) => ({ trackId: media === 'video' ? '0' : '1', media }));
}

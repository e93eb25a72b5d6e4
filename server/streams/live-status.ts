import type { SourceNotice } from '../../src/wire/management/live-stream.js';
import type { LayerState } from '../media/engine/media-figures.js';
import type { SourceId, TrackKind } from '../media/engine/media-track.js';
import type { Reception } from './reception.js';
import type { Source } from './source.js';
import type { ViewerPoint } from './viewer-series.js';
import type { StreamId } from './stream-id.js';

/** One simulcast encoding of a source, as it was measured last. */
export interface EncodingStatus {
  /** '0' is the smallest encoding. */
  readonly id: string;
  readonly active: boolean;
  /** By the newest keyframe; 0 if unknown. */
  readonly width: number;
  readonly height: number;
  /** bit/s */
  readonly bitrate: number;
}

export interface SourceStatus {
  readonly sourceId: SourceId;
  readonly tokenId: number;
  /** Milliseconds since 1970. */
  readonly liveSince: number;
  /** False: the publisher was lost, and its source is kept for the lease. */
  readonly connected: boolean;
  readonly tracks: readonly TrackKind[];
  /** Empty: no video, or none was measured yet. */
  readonly encodings: readonly EncodingStatus[];
  /** Undefined: not measured yet, or the publisher was lost. */
  readonly reception: Reception | undefined;
  readonly notices: readonly SourceNotice[];
  /** Of a source on another server: whether it is being recorded. */
  readonly recording?: boolean;
}

/** What a stream is doing while it is live. */
export interface LiveStatus {
  readonly streamId: StreamId;
  /** Milliseconds since 1970. */
  readonly liveSince: number;
  readonly viewers: number;
  readonly viewersOverTime: readonly ViewerPoint[];
  readonly sources: readonly SourceStatus[];
}

/** @returns undefined if the source is not live */
export function sourceStatus(sourceId: SourceId, source: Source): SourceStatus | undefined {
  const { tracks, liveSince, publisher, layers } = source;
  if (!tracks || liveSince === undefined) return undefined;
  const connected = !publisher.suspended;
  // The measurements of a lost publisher are of the past.
  const encodings = connected ? encodingsOf(layers ?? []) : [];
  const reception = connected ? source.reception.summary : undefined;
  const { tokenId, notices } = publisher;
  return { sourceId, tokenId, liveSince, connected, tracks, encodings, reception, notices };
}

function encodingsOf(layers: readonly LayerState[]): EncodingStatus[] {
  const ids = [...new Set(layers.map(({ encodingId }) => encodingId))];
  return ids.map((id) => {
    const sent = layers.filter((layer) => layer.encodingId === id && layer.active);
    return {
      id,
      active: sent.length > 0,
      width: Math.max(0, ...sent.map(({ width }) => width)),
      height: Math.max(0, ...sent.map(({ height }) => height)),
      bitrate: sent.reduce((sum, { bitrate }) => sum + bitrate, 0),
    };
  });
}

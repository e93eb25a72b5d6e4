import { field, list, text } from '../decode.js';

/** One of those who send on a stream's name. `sourceId` null: the main one. */
export interface StreamSource {
  readonly sourceId: string | null;
  /** What it sends now. */
  readonly kinds: readonly TrackKind[];
}

export type TrackKind = 'audio' | 'video';

/** Data of `active` and `updated`. Without tracks: both kinds. */
export function readSource(data: unknown): StreamSource {
  const tracks = field(data, 'tracks');
  const kinds = Array.isArray(tracks) ? list(data, 'tracks').map((track) => text(track, 'media')) : ['audio', 'video'];
  return {
    sourceId: text(data, 'sourceId') ?? null,
    kinds: kinds.filter((kind) => kind === 'audio' || kind === 'video'),
  };
}

/** With what is true of this source now, in its place; a new one comes last. */
export function withSource(sources: readonly StreamSource[], source: StreamSource): readonly StreamSource[] {
  const isKnown = sources.some(({ sourceId }) => sourceId === source.sourceId);
  return isKnown ? sources.map((one) => (one.sourceId === source.sourceId ? source : one)) : [...sources, source];
}

export function withoutSource(sources: readonly StreamSource[], id: string | null): readonly StreamSource[] {
  return sources.filter(({ sourceId }) => sourceId !== id);
}

/** The one that a viewer sees, as the server chooses: the one asked for, else the main one, else the first. */
export function selectedSource(sources: readonly StreamSource[], wanted?: string | null): StreamSource | undefined {
  const withId = (id: string | null) => sources.find(({ sourceId }) => sourceId === id);
  return (wanted === undefined ? undefined : withId(wanted)) ?? withId(null) ?? sources[0];
}

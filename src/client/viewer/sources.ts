import type { ActiveEvent } from '../../wire/websocket/stream-events.js';
import { field, list, text, type Unread } from '../unread.js';

/** A source that publishes to the stream. `sourceId` is null for the main source. */
export interface StreamSource {
  readonly sourceId: string | null;
  /** The kinds of tracks that it sends now. */
  readonly kinds: readonly TrackKind[];
}

export type TrackKind = 'audio' | 'video';

/** Whether the event `name` is about one source. */
export function isSourceEvent(name: string): boolean {
  return name === 'active' || name === 'updated' || name === 'inactive';
}

/** Reads the data of such an event. Without tracks, the source sends both kinds. */
export function readSource(data: unknown): StreamSource {
  const source = data as Unread<ActiveEvent>;
  const kinds = Array.isArray(field(source, 'tracks'))
    ? list(source, 'tracks').map((track) => text(track, 'media'))
    : ['audio', 'video'];
  return {
    sourceId: text(source, 'sourceId') ?? null,
    kinds: kinds.filter((kind) => kind === 'audio' || kind === 'video'),
  };
}

/** The sources with this one at its old position, or at the end if it is new. */
export function withSource(sources: readonly StreamSource[], source: StreamSource): readonly StreamSource[] {
  const isKnown = sources.some(({ sourceId }) => sourceId === source.sourceId);
  return isKnown ? sources.map((one) => (one.sourceId === source.sourceId ? source : one)) : [...sources, source];
}

export function withoutSource(sources: readonly StreamSource[], id: string | null): readonly StreamSource[] {
  return sources.filter(({ sourceId }) => sourceId !== id);
}

/** The source that the server sends to a viewer: the requested one, else the main one, else the first. */
export function selectedSource(sources: readonly StreamSource[], wanted?: string | null): StreamSource | undefined {
  const withId = (id: string | null | undefined) => sources.find(({ sourceId }) => sourceId === id);
  return withId(wanted) ?? withId(null) ?? sources[0];
}

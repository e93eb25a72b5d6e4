import type { LayerState } from '../media/engine/media-figures.js';
import type { SourceId, TrackKind } from '../media/engine/media-track.js';
import { layerReport } from './layer-report.js';
import type { Source } from './source.js';
import { streamTracks, type ClientEvent, type LayersMeasured, type StreamEvent } from './stream-event.js';
import type { StreamId } from './stream-id.js';

type Named<Name extends StreamEvent['name']> = Extract<StreamEvent, { name: Name }>;

/** Makes the events of one stream and numbers them. */
export class StreamEventFactory {
  readonly #streamId: StreamId;
  #seq: number;

  /**
   * @param seq the number before the first event: milliseconds since 1970, so that numbers also grow over a restart of
   * the server. A stream sends fewer than a thousand events in a second.
   */
  constructor(streamId: StreamId, seq: number) {
    this.#streamId = streamId;
    this.#seq = seq;
  }

  /** The number of the newest event. */
  get seq(): number {
    return this.#seq;
  }

  active(sourceId: SourceId, kinds: readonly TrackKind[]): Named<'active' | 'updated'> {
    return this.#liveSource('active', sourceId, kinds);
  }

  updated(sourceId: SourceId, kinds: readonly TrackKind[]): Named<'active' | 'updated'> {
    return this.#liveSource('updated', sourceId, kinds);
  }

  /** @param endedOn when the publisher or the owner ended it. Undefined: they did not */
  inactive(sourceId: SourceId, endedOn?: number): Named<'inactive'> {
    const data = { streamId: this.#streamId, sourceId, ...declaredEnd(endedOn) };
    return { seq: this.#next(), name: 'inactive', data };
  }

  interrupted(sourceIds: readonly SourceId[]): Named<'interrupted'> {
    return { seq: this.#next(), name: 'interrupted', data: { streamId: this.#streamId, sourceIds } };
  }

  viewerCount(count: number): Named<'viewercount'> {
    const data = { streamId: this.#streamId, viewercount: count, viewerCount: count };
    return { seq: this.#next(), name: 'viewercount', data };
  }

  layersMeasured(sources: ReadonlyMap<SourceId, Pick<Source, 'layers'>>): LayersMeasured {
    const layers = new Map<SourceId, readonly LayerState[]>();
    for (const [sourceId, source] of sources) if (source.layers) layers.set(sourceId, source.layers);
    return { seq: this.#next(), name: 'layers-measured', layers };
  }

  recording(sourceId: SourceId, isRecording: boolean, fault: string | null): Named<'recording'> {
    const data = { streamId: this.#streamId, sourceId, state: isRecording ? 'on' : 'off', fault } as const;
    return { seq: this.#next(), name: 'recording', data };
  }

  load(sourceId: SourceId, isOverloaded: boolean): Named<'load'> {
    const data = { streamId: this.#streamId, sourceId, overloaded: isOverloaded };
    return { seq: this.#next(), name: 'load', data };
  }

  paused(mediaIds: readonly string[]): Named<'paused'> {
    return { seq: this.#next(), name: 'paused', data: { streamId: this.#streamId, mediaIds } };
  }

  waiting(): Named<'waiting'> {
    return { seq: this.#next(), name: 'waiting', data: { streamId: this.#streamId } };
  }

  migrate(): Named<'migrate'> {
    return { seq: this.#next(), name: 'migrate', data: { streamId: this.#streamId } };
  }

  #liveSource(
    name: 'active' | 'updated',
    sourceId: SourceId,
    kinds: readonly TrackKind[],
  ): Named<'active' | 'updated'> {
    return { seq: this.#next(), name, data: { streamId: this.#streamId, sourceId, tracks: streamTracks(kinds) } };
  }

  #next(): number {
    return (this.#seq += 1);
  }
}

/** What viewers are told of an end. @param endedOn undefined: nobody declared it */
export function declaredEnd(endedOn: number | undefined): { readonly declared?: true; readonly endedOn?: number } {
  return endedOn === undefined ? {} : { declared: true, endedOn };
}

/** Viewers that are shown the same sources on the same m-lines share one event, which is then encoded once. */
const sharedEvents = new WeakMap<LayersMeasured, Map<string, ClientEvent>>();

/** The event `layers` for a viewer that is shown these sources, by mid. */
export function layersEvent(measured: LayersMeasured, shown: ReadonlyMap<string, SourceId>): ClientEvent {
  const events = sharedEvents.get(measured) ?? new Map<string, ClientEvent>();
  sharedEvents.set(measured, events);
  const key = JSON.stringify([...shown]);
  const known = events.get(key);
  if (known) return known;
  const layersByMid = [...shown].map(([mid, sourceId]) => [mid, measured.layers.get(sourceId) ?? []] as const);
  const event: ClientEvent = { seq: measured.seq, name: 'layers', data: layerReport(layersByMid) };
  events.set(key, event);
  return event;
}

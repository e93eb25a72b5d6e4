import type { LayerState, SourceId, TrackKind } from '../media/media-engine.js';
import type { Source } from './source.js';
import { tracksOf, type LayersMeasured, type StreamEvent } from './stream-event.js';

type Said<Name extends StreamEvent['name']> = Extract<StreamEvent, { name: Name }>;

/** Writes what is told of one stream, each piece with the next number. */
export class StreamEventFactory {
  readonly #streamId: string;
  #seq: number;

  /** @param seq so that it grows over the ends of the stream, and of the server: ms since 1970, as nothing is told a thousand times a second */
  constructor(streamId: string, seq: number) {
    this.#streamId = streamId;
    this.#seq = seq;
  }

  /** Of what was written last. */
  get seq(): number {
    return this.#seq;
  }

  live(name: 'active' | 'updated', sourceId: SourceId, kinds: readonly TrackKind[]): Said<'active' | 'updated'> {
    const data = { streamId: this.#streamId, sourceId, tracks: tracksOf(kinds) };
    return { seq: this.#next(), name, data };
  }

  inactive(sourceId: SourceId): Said<'inactive'> {
    return { seq: this.#next(), name: 'inactive', data: { streamId: this.#streamId, sourceId } };
  }

  count(count: number): Said<'viewercount'> {
    const data = { streamId: this.#streamId, viewercount: count, viewerCount: count };
    return { seq: this.#next(), name: 'viewercount', data };
  }

  measured(sources: ReadonlyMap<SourceId, Source>): LayersMeasured {
    const layers = new Map<SourceId, readonly LayerState[]>();
    for (const [sourceId, source] of sources) if (source.layers) layers.set(sourceId, source.layers);
    return { seq: this.#next(), name: 'measured', layers };
  }

  migrate(): Said<'migrate'> {
    return { seq: this.#next(), name: 'migrate', data: { streamId: this.#streamId } };
  }

  #next(): number {
    return (this.#seq += 1);
  }
}

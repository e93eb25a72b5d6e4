import { after } from '../faults/timers.js';
import type { LayerState } from '../media/engine/media-figures.js';
import type { SourceId, TrackKind } from '../media/engine/media-track.js';
import { Interruption } from './interruption.js';

/** A source that another server has, as viewers here know it. */
export interface RelayedSource {
  /** As they were announced to viewers. */
  tracks: readonly TrackKind[];
  layers: readonly LayerState[] | undefined;
  readonly interruption: Interruption;
  /** Until it is over, while no media comes. */
  timer: NodeJS.Timeout | undefined;
}

/** The sources of a stream that come over a relay from another server. */
export class RelayedSources {
  readonly #keptForMs: number;
  readonly #onInterrupted: () => void;
  readonly #onGone: (sourceId: SourceId) => void;
  readonly #sources = new Map<SourceId, RelayedSource>();
  #isOpen = false;

  /** @param onInterrupted a source did not come again at once @param onGone it did not in time */
  constructor(keptForMs: number, onInterrupted: () => void, onGone: (sourceId: SourceId) => void) {
    this.#keptForMs = keptForMs;
    this.#onInterrupted = onInterrupted;
    this.#onGone = onGone;
  }

  get all(): ReadonlyMap<SourceId, RelayedSource> {
    return this.#sources;
  }

  /** Whether more sources can come. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The relay begins. */
  open(): void {
    this.#isOpen = true;
  }

  /** The relay ended. Viewers keep the last picture of each source for a while. */
  end(): void {
    this.#isOpen = false;
    for (const sourceId of this.#sources.keys()) this.ended(sourceId);
  }

  find(sourceId: SourceId): RelayedSource | undefined {
    return this.#sources.get(sourceId);
  }

  /** Media comes. @returns the source, if it was known before, and as it was announced then */
  started(sourceId: SourceId, tracks: readonly TrackKind[]): RelayedSource | undefined {
    const known = this.#sources.get(sourceId);
    if (!known) {
      this.#sources.set(sourceId, { tracks, layers: undefined, interruption: new Interruption(), timer: undefined });
      return undefined;
    }
    clearTimeout(known.timer);
    known.timer = undefined;
    known.interruption.end();
    return known;
  }

  /** No more media comes: the relay broke, or the publisher was lost. Viewers keep the last picture for a while. */
  ended(sourceId: SourceId): void {
    const source = this.#sources.get(sourceId);
    if (!source || source.timer) return;
    source.interruption.begin(this.#onInterrupted);
    const expire = () => {
      source.interruption.end();
      this.#sources.delete(sourceId);
      this.#onGone(sourceId);
    };
    source.timer = after('streams', this.#keptForMs, expire).unref();
  }

  /** @returns false if there was no such source */
  delete(sourceId: SourceId): boolean {
    clearTimeout(this.#sources.get(sourceId)?.timer);
    this.#sources.get(sourceId)?.interruption.end();
    return this.#sources.delete(sourceId);
  }

  close(): void {
    for (const sourceId of this.#sources.keys()) this.delete(sourceId);
  }
}

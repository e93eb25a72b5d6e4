import type { Projection, ViewOptions } from '../media/engine/media-session.js';
import type { SourceId, TrackKind } from '../media/engine/media-track.js';

type Mids = Readonly<Partial<Record<TrackKind, string>>>;

/** The source that each video m-line of a viewer shows, after its `view`, `project` and `unproject` commands. */
export class ShownSources {
  /** The mid of the main video. */
  readonly #main: string | undefined;
  readonly #options: ViewOptions;
  /** By mid. Null if the m-line shows nothing after `unproject`. */
  readonly #projected = new Map<string, { readonly sourceId: SourceId | undefined } | null>();

  /** @param mids the main m-lines */
  constructor(mids: Mids, options: ViewOptions) {
    this.#main = mids.video;
    this.#options = options;
  }

  project(sourceId: SourceId | undefined, projections: readonly Projection[]): void {
    for (const { kind, mediaId = this.#main } of projections) {
      if (kind === 'video' && mediaId !== undefined) this.#projected.set(mediaId, { sourceId });
    }
  }

  unproject(mediaIds: readonly string[]): void {
    for (const mid of mediaIds) this.#projected.set(mid, null);
  }

  /**
   * Each mid that shows a live source, with that source.
   * @param live the live sources in the order in which they started
   */
  visible(live: readonly SourceId[]): Map<string, SourceId> {
    const shown = new Map<string, SourceId>();
    if (this.#main !== undefined && !this.#projected.has(this.#main)) {
      const sourceId = this.#mainSource(live);
      if (sourceId !== undefined) shown.set(this.#main, sourceId);
    }
    for (const [mid, projected] of this.#projected) {
      if (!projected) continue;
      const { sourceId = this.#mainSource(live) } = projected;
      if (sourceId !== undefined && live.includes(sourceId)) shown.set(mid, sourceId);
    }
    return shown;
  }

  /** See `ViewOptions.pinnedSourceId`. */
  #mainSource(live: readonly SourceId[]): SourceId | undefined {
    const { pinnedSourceId, excludedSourceIds = [] } = this.#options;
    if (pinnedSourceId !== undefined) return live.includes(pinnedSourceId) ? pinnedSourceId : undefined;
    if (live.includes(null)) return null;
    return live.find((sourceId) => sourceId !== null && !excludedSourceIds.includes(sourceId));
  }
}

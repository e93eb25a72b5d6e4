import { MediaError } from '../../../server/media/engine/media-error.js';
import type { StreamStats } from '../../../server/media/engine/media-figures.js';
import type { LayerChoice, Projection, ViewOptions } from '../../../server/media/engine/media-session.js';
import type { SourceId, TrackKind } from '../../../server/media/engine/media-track.js';
import type { AnsweredMedia } from '../../../server/media/sdp/answer.js';
import { matchFormat, type Format } from '../../../server/media/sdp/codecs.js';
import type { PublishedTrack } from '../../../server/media/sdp/negotiation.js';

export interface FakeSource {
  readonly sessionId: string;
  readonly sourceId: SourceId;
  readonly tracks: readonly PublishedTrack[];
  live: boolean;
  packetsIn: number;
  packetsOut: number;
}

/** An m-line of a viewer: it shows the main source, a projected source, or nothing. */
interface FakeMedia {
  readonly kind: TrackKind;
  shows: { readonly sourceId: SourceId } | 'main' | 'nothing';
}

/** A viewer of the fake engine: which source each m-line shows, and how many packets came. */
export class FakeViewer {
  readonly options: ViewOptions;
  readonly mids: Readonly<Partial<Record<TrackKind, string>>>;
  readonly received: Record<TrackKind, number> = { audio: 0, video: 0 };
  layer: LayerChoice;
  readonly #formats: Readonly<Record<TrackKind, readonly Format[]>>;
  /** By mid. */
  readonly #media = new Map<string, FakeMedia>();

  constructor(
    formats: Readonly<Record<TrackKind, readonly Format[]>>,
    answered: readonly AnsweredMedia[],
    options: ViewOptions,
  ) {
    this.options = options;
    this.layer = options.layer ?? {};
    this.#formats = formats;
    this.mids = mainMids(answered);
    for (const kind of ['audio', 'video'] as const) {
      const mid = this.mids[kind];
      if (mid !== undefined) this.#media.set(mid, { kind, shows: 'main' });
    }
  }

  /** @throws {MediaError} `unknown_media` */
  project(sourceId: SourceId | undefined, projections: readonly Projection[]): void {
    const chosen = projections.map(({ kind, mediaId }): [string, TrackKind] => {
      const mid = mediaId ?? [...this.#media].find(([, media]) => media.kind === kind)?.[0];
      if (mid === undefined || (this.#media.get(mid)?.kind ?? kind) !== kind) {
        throw new MediaError('unknown_media', `the viewer has no such m-line for ${kind}`);
      }
      return [mid, kind];
    });
    for (const [mid, kind] of chosen) {
      this.#media.set(mid, { kind, shows: sourceId === undefined ? 'main' : { sourceId } });
    }
  }

  /** @throws {MediaError} `unknown_media` */
  unproject(mediaIds: readonly string[]): void {
    if (mediaIds.some((mid) => !this.#media.has(mid))) {
      throw new MediaError('unknown_media', 'the viewer has no such m-line');
    }
    for (const mid of mediaIds) this.#media.get(mid)!.shows = 'nothing';
  }

  /** @returns on how many m-lines the packet came */
  deliver({ kind, format }: PublishedTrack, sourceId: SourceId, mainSourceId: SourceId | undefined): number {
    const isShown = ({ kind: shownKind, shows }: FakeMedia) =>
      shownKind === kind &&
      shows !== 'nothing' &&
      (shows === 'main' ? mainSourceId === sourceId : shows.sourceId === sourceId);
    const shown = [...this.#media.values()].filter(isShown).length;
    if (!matchFormat(this.#formats[kind], format)) return 0;
    this.received[kind] += shown;
    return shown;
  }
}

/** A stream of the fake engine. */
export class FakeStream {
  readonly sources = new Map<SourceId, FakeSource>();
  /** By session id. */
  readonly viewers = new Map<string, FakeViewer>();

  /** Delivers one packet of each of the source's tracks to the viewers that show it. */
  deliverFrame(source: FakeSource): void {
    source.live = true;
    for (const track of source.tracks) {
      source.packetsIn++;
      for (const viewer of this.viewers.values()) {
        source.packetsOut += viewer.deliver(track, source.sourceId, this.#mainSourceOf(viewer));
      }
    }
  }

  stats(): StreamStats {
    const all = [...this.sources.values()];
    const sum = (count: (source: FakeSource) => number): number =>
      all.reduce((total, source) => total + count(source), 0);
    const hasVideo = ({ tracks }: FakeSource): boolean => tracks.some(({ kind }) => kind === 'video');
    return {
      live: all.some(({ live }) => live),
      viewers: this.viewers.size,
      packetsIn: sum(({ packetsIn }) => packetsIn),
      bytesIn: 1_000 * sum(({ packetsIn }) => packetsIn),
      packetsOut: sum(({ packetsOut }) => packetsOut),
      keyframes: sum((source) => (hasVideo(source) ? source.packetsIn / source.tracks.length : 0)),
      nacksAnswered: 0,
    };
  }

  /** The source that the main m-lines show; undefined: none. */
  #mainSourceOf({ options }: FakeViewer): SourceId | undefined {
    const { pinnedSourceId, excludedSourceIds = [] } = options;
    if (pinnedSourceId !== undefined) return pinnedSourceId;
    if (this.sources.get(null)?.live) return null;
    return [...this.sources.values()].find(
      ({ live, sourceId }) => live && sourceId !== null && !excludedSourceIds.includes(sourceId),
    )?.sourceId;
  }
}

function mainMids(answered: readonly AnsweredMedia[]): Partial<Record<TrackKind, string>> {
  const mids: Partial<Record<TrackKind, string>> = {};
  for (const { offered, direction } of answered) {
    if (direction === 'sendonly' && offered.kind) mids[offered.kind] ??= offered.mid;
  }
  return mids;
}

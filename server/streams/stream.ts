import type { LayerState, SourceId, TrackKind } from '../media/media-engine.js';
import { catchErrors } from '../catch-errors.js';
import { FanOut } from './fan-out.js';
import type { Publisher, Viewer } from './member.js';
import { StreamEventFactory } from './stream-event-factory.js';
import { Source, type ClaimResult, type ClaimRequest } from './source.js';
import type { StreamEvent } from './stream-event.js';
import { ViewerCount } from './viewer-count.js';

/** Sources are measured one after the other; what came together is told together. */
const MEASURED_TOGETHER_MS = 50;

export interface StreamOptions {
  /** How long the place of a broadcaster who was lost is kept for him. */
  readonly resumeWithinMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Hears of what a timer or the media engine could not bring about, and keeps it from ending the process. */
  readonly onFault: (error: unknown) => void;
}

export interface StreamState {
  /** Media flows, or will again in a moment. */
  readonly live: boolean;
  /** Those who publish its sources, and those whose place is kept. */
  readonly publishers: readonly Publisher[];
}

/** One name: who publishes its sources, who watches or waits, and what flows. */
export class Stream {
  readonly id: string;
  readonly #options: StreamOptions;
  readonly #sources = new Map<SourceId, Source>();
  readonly #viewers = new Set<Viewer>();
  /** Those of them who can be sent media. */
  readonly #reached = new Set<Viewer>();
  readonly #write: StreamEventFactory;
  readonly #fanOut: FanOut;
  readonly #count: ViewerCount;
  /** Whether publishers were told that somebody watches. */
  #watched = false;
  #measuring: NodeJS.Timeout | undefined;
  #snapshot: readonly StreamEvent[] | undefined;
  /** Kept, because every viewer's call for leave looks at it; undefined after a change. */
  #state: StreamState | undefined;

  constructor(id: string, options: StreamOptions) {
    this.id = id;
    this.#options = options;
    this.#write = new StreamEventFactory(id, options.now());
    this.#fanOut = new FanOut(options.onFault);
    this.#count = new ViewerCount(catchErrors(options.onFault, (count) => this.#tellCount(count)));
  }

  get sources(): ReadonlyMap<SourceId, Source> {
    return this.#sources;
  }

  get state(): StreamState {
    if (this.#state) return this.#state;
    const sources = [...this.#sources.values()];
    const live = sources.some(({ tracks }) => tracks !== undefined);
    return (this.#state = { live, publishers: sources.map(({ publisher }) => publisher) });
  }

  get seq(): number {
    return this.#write.seq;
  }

  get isEmpty(): boolean {
    return this.#sources.size === 0 && this.#viewers.size === 0;
  }

  /**
   * Takes a source for `publisher`. Undefined while it is another's, unless that is the session to resume.
   * @throws {Error} the publisher has a source already: a session has one
   */
  claim(publisher: Publisher, { sourceId, resumable, resumes }: ClaimRequest): ClaimResult | undefined {
    if (this.#sourceOf(publisher.id)) throw new Error(`session ${publisher.id} has a source already`);
    const source = this.#sources.get(sourceId);
    if (!source) {
      this.#sources.set(sourceId, new Source(publisher, resumable));
      this.#state = undefined;
      return { before: undefined };
    }
    const before = source.publisher;
    if (before.id !== resumes) return undefined;
    source.publisher = publisher;
    source.resumable = resumable;
    this.#state = undefined;
    before.stop('replaced');
    // A broadcaster who came back and sends nothing keeps nobody waiting for ever.
    source.cancelLease();
    this.#freeze(sourceId, source);
    return { before };
  }

  release(publisherId: string): void {
    const [sourceId, source] = this.#sourceOf(publisherId) ?? [];
    if (!source) return;
    source.cancelLease();
    this.#sources.delete(sourceId!);
    this.#state = undefined;
    this.#silence(sourceId!, source);
  }

  /** The publisher was lost, and may come back: for a while it keeps its source, and viewers see the last picture. */
  holdLease(publisherId: string): void {
    const [sourceId, source] = this.#sourceOf(publisherId) ?? [];
    if (!source) return;
    source.cancelLease();
    this.#freeze(sourceId!, source);
  }

  join(viewer: Viewer): void {
    this.#viewers.add(viewer);
    for (const news of this.#everythingTrue()) viewer.tell(news);
    this.reachabilityChanged(viewer);
  }

  /** Media gets through to the viewer, or no longer. */
  reachabilityChanged(viewer: Viewer): void {
    if (!this.#viewers.has(viewer)) return;
    if (viewer.reachable) this.#reached.add(viewer);
    else this.#reached.delete(viewer);
    this.#recount();
  }

  leave(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    this.#reached.delete(viewer);
    this.#recount();
  }

  /** Tells a publisher what is true. */
  sendSnapshot(publisher: Publisher): void {
    const [sourceId, source] = this.#sourceOf(publisher.id) ?? [];
    if (source?.tracks && this.#watched) publisher.tell(this.#write.live('active', sourceId!, source.tracks));
    publisher.tell(this.#write.count(this.#count.announced));
  }

  mediaStarted(sourceId: SourceId, tracks: readonly TrackKind[]): void {
    const source = this.#sources.get(sourceId);
    if (!source) return;
    if (!source.publisher.suspended) source.cancelLease();
    if (source.tracks) return this.#change(sourceId, source, tracks);
    source.tracks = tracks;
    this.#state = undefined;
    this.#tellViewers(this.#write.live('active', sourceId, tracks));
    if (this.#watched) source.publisher.tell(this.#write.live('active', sourceId, tracks));
    this.#recount();
  }

  mediaUpdated(sourceId: SourceId, tracks: readonly TrackKind[]): void {
    const source = this.#sources.get(sourceId);
    if (source?.tracks) this.#change(sourceId, source, tracks);
  }

  /** The media of a source ended, for whatever reason. */
  mediaEnded(sourceId: SourceId): void {
    const source = this.#sources.get(sourceId);
    if (!source?.tracks) return;
    if (source.resumable) this.#freeze(sourceId, source);
    else this.#silence(sourceId, source);
  }

  layersMeasured(sourceId: SourceId, layers: readonly LayerState[]): void {
    const source = this.#sources.get(sourceId);
    if (!source?.tracks) return;
    source.layers = layers;
    const tell = catchErrors(this.#options.onFault, () => {
      this.#measuring = undefined;
      this.#tellFigures('measured', () => this.#write.measured(this.#sources));
    });
    this.#measuring ??= setTimeout(tell, MEASURED_TOGETHER_MS).unref();
  }

  /** What members are told before the server stops. */
  migrateEvent(): StreamEvent {
    return this.#write.migrate();
  }

  close(): void {
    this.#count.close();
    clearTimeout(this.#measuring);
    for (const source of this.#sources.values()) source.cancelLease();
  }

  #sourceOf(publisherId: string): [SourceId, Source] | undefined {
    for (const entry of this.#sources) if (entry[1].publisher.id === publisherId) return entry;
    return undefined;
  }

  #freeze(sourceId: SourceId, source: Source): void {
    const { resumeWithinMs, now, onFault } = this.#options;
    const onOver = catchErrors(onFault, () => {
      if (source.publisher.suspended) source.publisher.leaseExpired();
      else this.#silence(sourceId, source);
    });
    source.startLease(resumeWithinMs, now(), onOver);
  }

  #change(sourceId: SourceId, source: Source, tracks: readonly TrackKind[]): void {
    if (tracks.length === source.tracks?.length && tracks.every((kind) => source.tracks?.includes(kind))) return;
    source.tracks = tracks;
    this.#tellViewers(this.#write.live('updated', sourceId, tracks));
  }

  #silence(sourceId: SourceId, source: Source): void {
    if (!source.tracks) return;
    source.tracks = undefined;
    this.#state = undefined;
    source.layers = undefined;
    this.#tellViewers(this.#write.inactive(sourceId));
    this.#recount();
  }

  /** A viewer counts once media gets through to him and there is any. */
  #recount(): void {
    const count = this.state.live ? this.#reached.size : 0;
    if (count > 0 !== this.#watched) this.#tellWatched(count > 0);
    this.#count.set(count);
  }

  /** A publisher hears `active` when his first viewer comes and `inactive` when the last one leaves (wire-facts 3.3). */
  #tellWatched(watched: boolean): void {
    this.#watched = watched;
    for (const [sourceId, { publisher, tracks }] of this.#sources) {
      if (watched && tracks) publisher.tell(this.#write.live('active', sourceId, tracks));
      if (!watched) publisher.tell(this.#write.inactive(sourceId));
    }
  }

  #tellCount(count: number): void {
    const news = this.#write.count(count);
    for (const { publisher } of this.#sources.values()) publisher.tell(news);
    this.#tellFigures('viewercount', () => this.#write.count(this.#count.announced));
  }

  #tellViewers(news: StreamEvent): void {
    this.#snapshot = undefined;
    this.#fanOut.send(this.#viewers, news);
  }

  #tellFigures(name: StreamEvent['name'], write: () => StreamEvent): void {
    this.#snapshot = undefined;
    this.#fanOut.sendLatest(this.#viewers, name, write);
  }

  /** Written once for all who come before the next change: their frames are then written once, too. */
  #everythingTrue(): readonly StreamEvent[] {
    return (this.#snapshot ??= [...this.#truths()]);
  }

  *#truths(): Generator<StreamEvent> {
    for (const [sourceId, { tracks }] of this.#sources) if (tracks) yield this.#write.live('active', sourceId, tracks);
    yield this.#write.count(this.#count.announced);
    const layers = this.#write.measured(this.#sources);
    if (layers.layers.size > 0) yield layers;
  }
}

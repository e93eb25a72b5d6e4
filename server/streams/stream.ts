import { after } from '../faults/timers.js';
import type { LayerState, ReceptionState } from '../media/engine/media-figures.js';
import type { SourceId, TrackKind } from '../media/engine/media-track.js';
import type { DeclaredEnd } from './declared-ends.js';
import { sourceStatus, type LiveStatus } from './live-status.js';
import type { Publisher, Viewer } from './member.js';
import { RelayedSources } from './relayed-sources.js';
import type { ClaimRequest, ClaimResult, Source } from './source.js';
import { StreamEventFactory } from './stream-event-factory.js';
import type { StreamEvent } from './stream-event.js';
import { StreamSources, type StreamSourcesOptions, type StreamState } from './stream-sources.js';
import { StreamViewers } from './stream-viewers.js';
import { ViewerCount } from './viewer-count.js';
import { ViewerSeries } from './viewer-series.js';
import type { StreamId } from './stream-id.js';

/** Each source is measured separately. Measurements that arrive within this time are sent together. */
const LAYERS_BATCH_MS = 50;

/** What became true of a stream. `since`: when it became live, in milliseconds since 1970. */
export type StreamNews =
  | { readonly name: 'started' | 'ended'; readonly streamId: StreamId; readonly since: number }
  /** Media reaches a viewer now, or none any more. `unwatched` comes before `ended`. */
  | { readonly name: 'watched' | 'unwatched'; readonly streamId: StreamId };

export interface StreamOptions extends Pick<StreamSourcesOptions, 'resumeWithinMs' | 'now'> {
  /** Must not throw. */
  readonly onNews?: (news: StreamNews) => void;
  /** A source became live, or is no longer, or its publisher was lost or came back. Must not throw. */
  readonly onSource?: (streamId: StreamId, sourceId: SourceId, source: Source) => void;
  /** How many viewers media reaches on this server, at most once a second. Must not throw. */
  readonly onViewersHere?: (streamId: StreamId, viewers: number) => void;
  /** How many viewers media reaches on the other servers. Default: none. */
  readonly viewersElsewhere?: (streamId: StreamId) => number;
  /** The sources of a stream that are interrupted on the server that has it. Default: none. */
  readonly interruptedElsewhere?: (streamId: StreamId) => ReadonlySet<SourceId>;
  /** How the last broadcast was meant to end. Default: nobody knows. */
  readonly endOf?: (streamId: StreamId) => DeclaredEnd | undefined;
}

/** What viewers know of a source, of this server or another. */
type ShownSource = Pick<Source, 'tracks' | 'layers' | 'interruption'>;

/** One stream name: the publishers of its sources, its viewers, and what was announced to viewers. */
export class Stream {
  readonly id: StreamId;
  readonly #options: StreamOptions;
  readonly #sources: StreamSources;
  /** Of another server. They are known to viewers alone: everything else asks that server. */
  readonly #relayed: RelayedSources;
  readonly #viewers: StreamViewers;
  readonly #events: StreamEventFactory;
  readonly #count: ViewerCount;
  /** Since the stream is live. Undefined if it is not live. */
  #onAir: { readonly since: number; readonly viewers: ViewerSeries } | undefined;
  #layersTimer: NodeJS.Timeout | undefined;
  /** As viewers were told. */
  #interrupted: readonly SourceId[] = [];
  /** When viewers were told last that a source is live, and after that of a declared end. */
  #told: { readonly liveOn: number; readonly isOver: boolean } = { liveOn: 0, isOver: false };

  constructor(id: StreamId, options: StreamOptions) {
    this.id = id;
    this.#options = options;
    const { resumeWithinMs, now } = options;
    const onExpired = (sourceId: SourceId, source: Source): void => this.#endSource(sourceId, source);
    this.#sources = new StreamSources({ resumeWithinMs, now, onExpired });
    this.#events = new StreamEventFactory(id, now());
    this.#viewers = new StreamViewers(() => this.#snapshot());
    this.#count = new ViewerCount({
      onWatched: (isWatched) => this.#watchedChanged(isWatched),
      onCount: (count) => this.#sendCount(count),
      onCountHere: (count) => options.onViewersHere?.(id, count),
    });
    this.#relayed = new RelayedSources(
      resumeWithinMs,
      () => this.#sendInterrupted(),
      (sourceId) => this.#relayedGone(sourceId),
    );
  }

  get sources(): ReadonlyMap<SourceId, Source> {
    return this.#sources.all;
  }

  get state(): StreamState {
    return this.#sources.state;
  }

  /** In milliseconds since 1970. Undefined if it is not live. */
  get liveSince(): number | undefined {
    return this.#onAir?.since;
  }

  /** What the stream is doing now. Undefined if it is not live. */
  get liveStatus(): LiveStatus | undefined {
    if (!this.#onAir) return undefined;
    const { since, viewers } = this.#onAir;
    return {
      streamId: this.id,
      liveSince: since,
      viewers: this.#viewers.reachableCount + this.#viewersElsewhere,
      viewersOverTime: viewers.points,
      sources: [...this.sources].flatMap(([sourceId, source]) => sourceStatus(sourceId, source) ?? []),
    };
  }

  get seq(): number {
    return this.#events.seq;
  }

  get isEmpty(): boolean {
    return this.sources.size === 0 && this.#viewers.isEmpty && !this.#relayed.isOpen;
  }

  /** The sources come from another server from now on. */
  beginRelay(): void {
    this.#relayed.open();
  }

  /** No more of them come. Viewers keep the last picture of each for as long as that of a lost publisher. */
  endRelay(): void {
    this.#relayed.end();
  }

  /** The server that has the stream ended its sources, except these. */
  endRelayedExcept(kept: ReadonlySet<SourceId>): void {
    for (const sourceId of this.#relayed.all.keys()) {
      if (!kept.has(sourceId) && this.#relayed.delete(sourceId)) this.#relayedGone(sourceId);
    }
  }

  /** Other sources are interrupted on the server that has the stream. */
  elsewhereChanged(): void {
    if (this.#relayed.all.size === 0) return;
    const sourceIds = this.#options.interruptedElsewhere?.(this.id) ?? new Set();
    for (const [sourceId, { interruption, timer }] of this.#relayed.all) {
      if (sourceIds.has(sourceId)) interruption.hold();
      // Without media here it is, whatever comes there.
      else if (!timer) interruption.end();
    }
    this.#sendInterrupted();
  }

  /** Something is known of an end: tells viewers who took it for a loss, or were not told at all. */
  endKnown(): void {
    const end = this.#declaredEnd;
    if (end && !this.#told.isOver && this.#isDark) this.#sendInactive(null, end.endedOn);
  }

  /** The number of viewers on other servers changed. */
  viewersElsewhereChanged(): void {
    this.#updateCount();
  }

  /** See `StreamSources.claim`. */
  claim(publisher: Publisher, request: ClaimRequest): ClaimResult | undefined {
    const claimed = this.#sources.claim(publisher, request);
    const source = this.#sources.find(request.sourceId);
    if (claimed?.previous && source) this.#tellSource(request.sourceId, source);
    return claimed;
  }

  /**
   * @param isDeclared the publisher or the owner ended it
   * @returns how the broadcast ended with it. Undefined: it goes on, was not live, or nobody meant it to end
   */
  release(publisherId: string, isDeclared = false): DeclaredEnd | undefined {
    const [sourceId, source] = this.#sources.of(publisherId) ?? [];
    if (!source) return undefined;
    const wasLive = this.state.live;
    const end = isDeclared ? { endedOn: this.#options.now(), tokenId: source.publisher.tokenId } : undefined;
    this.#sources.release(sourceId!, source);
    this.#endSource(sourceId!, source, end?.endedOn);
    return wasLive && !this.state.live ? end : undefined;
  }

  /** The publisher was lost and may resume. Its source is kept for the lease, and viewers keep the last picture. */
  holdLease(publisherId: string): void {
    const [sourceId, source] = this.#sources.of(publisherId) ?? [];
    if (!source) return;
    this.#sources.renewLease(sourceId!, source);
    // Nobody measures the media of this one.
    if (!source.reception.summary) source.interruption.begin(() => this.#sendInterrupted());
    this.#tellSource(sourceId!, source);
  }

  join(viewer: Viewer): void {
    this.#viewers.join(viewer);
    this.reachabilityChanged(viewer);
  }

  /** `viewer.reachable` changed. */
  reachabilityChanged(viewer: Viewer): void {
    if (this.#viewers.updateReachability(viewer)) this.#updateCount();
  }

  leave(viewer: Viewer): void {
    this.#viewers.leave(viewer);
    this.#updateCount();
  }

  /** Sends a publisher everything that is true of the stream. */
  sendSnapshot(publisher: Publisher): void {
    const [sourceId, source] = this.#sources.of(publisher.id) ?? [];
    if (source?.tracks && this.#count.isWatched) publisher.send(this.#events.active(sourceId!, source.tracks));
    publisher.send(this.#events.viewerCount(this.#count.announced));
  }

  mediaStarted(sourceId: SourceId, tracks: readonly TrackKind[]): void {
    const source = this.#sources.find(sourceId);
    if (!source) return this.#relayedStarted(sourceId, tracks);
    this.#relayed.delete(sourceId);
    if (!source.publisher.suspended) source.cancelLease();
    source.interruption.end();
    this.#sendInterrupted();
    if (source.tracks) return this.#setTracks(sourceId, source, tracks);
    const since = this.#sources.begin(source, tracks);
    if (!this.#onAir) {
      this.#onAir = { since, viewers: new ViewerSeries() };
      this.#options.onNews?.({ name: 'started', streamId: this.id, since });
    }
    this.#sendActive(sourceId, tracks);
    if (this.#count.isWatched) source.publisher.send(this.#events.active(sourceId, tracks));
    this.#updateCount();
    this.#tellSource(sourceId, source);
  }

  mediaUpdated(sourceId: SourceId, tracks: readonly TrackKind[]): void {
    const source = this.#sources.find(sourceId) ?? this.#relayed.find(sourceId);
    if (source?.tracks) this.#setTracks(sourceId, source, tracks);
  }

  /** How the media of a source arrived in the last second. */
  receptionMeasured(sourceId: SourceId, state: ReceptionState): void {
    const source = this.#sources.find(sourceId);
    if (!source) return;
    source.reception.add(state);
    source.interruption.heard(state.packets, source.publisher.suspended);
    this.#sendInterrupted();
    source.publisher.bitrateMeasured(state.bitrate);
    source.publisher.loadMeasured(source.reception.isOverloaded);
  }

  /** The media of a source ended, for any reason. */
  mediaEnded(sourceId: SourceId): void {
    const source = this.#sources.find(sourceId);
    if (!source) return this.#relayed.ended(sourceId);
    if (!source.tracks) return;
    if (!source.resumable) return this.#endSource(sourceId, source);
    this.#sources.startLease(sourceId, source);
    source.interruption.begin(() => this.#sendInterrupted());
  }

  layersMeasured(sourceId: SourceId, layers: readonly LayerState[]): void {
    const source = this.#sources.find(sourceId) ?? this.#relayed.find(sourceId);
    if (!source?.tracks) return;
    source.layers = layers;
    this.#layersTimer ??= after('streams', LAYERS_BATCH_MS, () => {
      this.#layersTimer = undefined;
      this.#viewers.sendLatest('layers-measured', () => this.#events.layersMeasured(this.#shown));
    }).unref();
  }

  /** Tells the publisher of a source whether it is being recorded. */
  sendRecording(sourceId: SourceId, isRecording: boolean, fault: string | null): void {
    this.#sources.find(sourceId)?.publisher.send(this.#events.recording(sourceId, isRecording, fault));
  }

  /** Tells the publisher of a source whether the server is overloaded. */
  sendLoad(sourceId: SourceId, isOverloaded: boolean): void {
    this.#sources.find(sourceId)?.publisher.send(this.#events.load(sourceId, isOverloaded));
  }

  /** Tells a viewer on which m-lines its video is paused. */
  sendPaused(viewer: Viewer, mediaIds: readonly string[]): void {
    viewer.send(this.#events.paused(mediaIds));
  }

  /** Tells a viewer that its media comes when the stream is live. */
  sendWaiting(viewer: Viewer): void {
    viewer.send(this.#events.waiting());
  }

  get hasViewers(): boolean {
    return !this.#viewers.isEmpty;
  }

  /** The viewers, those that wait too. */
  get viewers(): readonly Viewer[] {
    return this.#viewers.all;
  }

  /** The event that members receive before the server stops, and viewers when another server has the stream. */
  migrateEvent(): StreamEvent {
    return this.#events.migrate();
  }

  close(): void {
    this.#count.close();
    this.#relayed.close();
    clearTimeout(this.#layersTimer);
    this.#sources.close();
  }

  /** The source of a publisher. Undefined: it has none. */
  sourceIdOf(publisherId: string): SourceId | undefined {
    return this.#sources.of(publisherId)?.[0];
  }

  #tellSource(sourceId: SourceId, source: Source): void {
    // A source that was released has no state.
    if (this.#sources.find(sourceId) === source) this.#options.onSource?.(this.id, sourceId, source);
  }

  #relayedStarted(sourceId: SourceId, tracks: readonly TrackKind[]): void {
    // The media of a publisher that was released a moment ago.
    if (!this.#relayed.isOpen) return;
    const known = this.#relayed.started(sourceId, tracks);
    if (known) this.#setTracks(sourceId, known, tracks);
    else this.#sendActive(sourceId, tracks);
    this.elsewhereChanged();
    this.#updateCount();
  }

  #relayedGone(sourceId: SourceId): void {
    this.#sendInactive(sourceId, this.#isDark ? this.#declaredEnd?.endedOn : undefined);
    this.#sendInterrupted();
    this.#updateCount();
  }

  #sendActive(sourceId: SourceId, tracks: readonly TrackKind[]): void {
    this.#told = { liveOn: this.#options.now(), isOver: false };
    this.#viewers.send(this.#events.active(sourceId, tracks));
  }

  #sendInactive(sourceId: SourceId, endedOn: number | undefined): void {
    if (endedOn !== undefined) this.#told = { ...this.#told, isOver: true };
    this.#viewers.send(this.#events.inactive(sourceId, endedOn));
  }

  /** Not of an earlier broadcast than that which viewers saw. */
  get #declaredEnd(): DeclaredEnd | undefined {
    const end = this.#options.endOf?.(this.id);
    return end && end.endedOn >= this.#told.liveOn ? end : undefined;
  }

  /** Viewers can be shown nothing. */
  get #isDark(): boolean {
    return this.#relayed.all.size === 0 && !this.state.live;
  }

  /** Every source that viewers can be shown. */
  get #shown(): ReadonlyMap<SourceId, ShownSource> {
    const { all } = this.#relayed;
    return all.size === 0 ? this.sources : new Map<SourceId, ShownSource>([...all, ...this.sources]);
  }

  #setTracks(sourceId: SourceId, source: Pick<Source, 'tracks'>, tracks: readonly TrackKind[]): void {
    if (tracks.length === source.tracks?.length && tracks.every((kind) => source.tracks?.includes(kind))) return;
    source.tracks = tracks;
    this.#viewers.send(this.#events.updated(sourceId, tracks));
  }

  /** Tells viewers which live sources are interrupted, if these are others than before. */
  #sendInterrupted(): void {
    const sourceIds = [...this.#shown].flatMap(([sourceId, { tracks, interruption }]) =>
      tracks && interruption.holds ? [sourceId] : [],
    );
    const before = this.#interrupted;
    if (sourceIds.length === before.length && sourceIds.every((sourceId) => before.includes(sourceId))) return;
    this.#interrupted = sourceIds;
    this.#viewers.send(this.#events.interrupted(sourceIds));
    for (const [sourceId, source] of this.sources)
      if (before.includes(sourceId) !== sourceIds.includes(sourceId)) this.#tellSource(sourceId, source);
  }

  /** @param endedOn when the publisher or the owner ended it. Undefined: they did not */
  #endSource(sourceId: SourceId, source: Source, endedOn?: number): void {
    if (!source.tracks) return;
    this.#sources.end(source);
    const ended = this.state.live ? undefined : this.#onAir;
    if (ended) this.#onAir = undefined;
    this.#sendInactive(sourceId, endedOn);
    this.#sendInterrupted();
    this.#updateCount();
    this.#tellSource(sourceId, source);
    if (ended) this.#options.onNews?.({ name: 'ended', streamId: this.id, since: ended.since });
  }

  get #viewersElsewhere(): number {
    return this.#options.viewersElsewhere?.(this.id) ?? 0;
  }

  #updateCount(): void {
    const count = this.#count.update({
      isLive: this.state.live,
      isRelayed: this.#relayed.all.size > 0,
      here: this.#viewers.reachableCount,
      elsewhere: this.#viewersElsewhere,
    });
    this.#onAir?.viewers.record(this.#options.now(), count);
  }

  /** A publisher receives `active` when its first viewer starts and `inactive` when its last one leaves. */
  #watchedChanged(isWatched: boolean): void {
    this.#options.onNews?.({ name: isWatched ? 'watched' : 'unwatched', streamId: this.id });
    for (const [sourceId, { publisher, tracks }] of this.sources) {
      if (isWatched && tracks) publisher.send(this.#events.active(sourceId, tracks));
      if (!isWatched) publisher.send(this.#events.inactive(sourceId));
    }
  }

  #sendCount(count: number): void {
    const event = this.#events.viewerCount(count);
    for (const { publisher } of this.sources.values()) publisher.send(event);
    this.#viewers.sendLatest('viewercount', () => this.#events.viewerCount(this.#count.announced));
  }

  /** Everything that is true of the stream, for a viewer that joins. */
  *#snapshot(): Generator<StreamEvent> {
    for (const [sourceId, { tracks }] of this.#shown) if (tracks) yield this.#events.active(sourceId, tracks);
    const end = this.#isDark ? this.#declaredEnd : undefined;
    if (end) yield this.#events.inactive(null, end.endedOn);
    if (this.#interrupted.length > 0) yield this.#events.interrupted(this.#interrupted);
    yield this.#events.viewerCount(this.#count.announced);
    const measured = this.#events.layersMeasured(this.#shown);
    if (measured.layers.size > 0) yield measured;
  }
}

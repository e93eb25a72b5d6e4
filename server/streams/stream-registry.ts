import type { EventEmitter } from 'node:events';
import { Emitter } from '../faults/emitter.js';
import type { MediaEngineEvents } from '../media/engine/media-engine.js';
import type { SourceId } from '../media/engine/media-track.js';
import type { LiveStatus } from './live-status.js';
import type { Publisher, Viewer } from './member.js';
import type { ClaimRequest, ClaimResult } from './source.js';
import { DeclaredEnds, type DeclaredEnd } from './declared-ends.js';
import { availabilityOf, type SourceAvailability, type SourceRequest } from './source-availability.js';
import type { StreamEvent } from './stream-event.js';
import { streamIdOf, type StreamId } from './stream-id.js';
import { SOLE_SERVER_LEASES, type LeaseOutcome, type StreamLeases } from './stream-leases.js';
import type { StreamNews, StreamOptions } from './stream.js';
import { NOTHING_ELSEWHERE, type StreamElsewhere, type StreamsElsewhere } from './streams-elsewhere.js';
import { StreamsHere } from './streams-here.js';

/** What the rules read of a stream, whichever server has it. */
export interface StreamPresence {
  /** Whether media flows, or a lease keeps the stream live. */
  readonly live: boolean;
  /** The publishers of all sources, lost publishers with a lease included. */
  readonly publishers: readonly { readonly tokenId: number }[];
}

/** Who publishes a source on this server. */
export interface SourcePublisher extends Pick<Publisher, 'tokenId' | 'codec'> {
  /** Whether media flows, or a lease keeps the source live. */
  readonly isLive: boolean;
}

export interface StreamRegistryOptions extends Pick<StreamOptions, 'resumeWithinMs' | 'now' | 'viewersElsewhere'> {
  readonly leases: StreamLeases;
  readonly elsewhere: StreamsElsewhere;
}

const NO_PUBLISHERS: StreamPresence = Object.freeze({ live: false, publishers: [] });

const RESUME_WITHIN_MS = 10_000;

export interface StreamRegistryEvents {
  /** The publishers of a stream changed. Emitted before the media engine is asked for the media of a new publisher. */
  'publishers-changed': [streamId: StreamId];
  /** A viewer joined or left a stream on this server. */
  'viewers-changed': [streamId: StreamId];
  /** How many viewers of this server media reaches. Listeners must not throw. */
  'viewers-counted': [streamId: StreamId, viewers: number];
  /** Listeners must not throw. */
  news: [news: StreamNews];
}

/**
 * All that the rest of the server asks of streams: of those of this server (`StreamsHere`), of the publishers on other
 * servers of the database (`StreamsElsewhere`), and of the leases that keep the two apart (`StreamLeases`).
 */
export class StreamRegistry extends Emitter<StreamRegistryEvents> {
  readonly #here: StreamsHere;
  readonly #now: () => number;
  readonly #leases: StreamLeases;
  readonly #elsewhere: StreamsElsewhere;
  /** Of the only server of its database. */
  readonly #ends: DeclaredEnds;

  /** @param engine reports when media starts, changes and ends */
  constructor(
    engine: EventEmitter<MediaEngineEvents>,
    {
      resumeWithinMs = RESUME_WITHIN_MS,
      now = Date.now,
      leases = SOLE_SERVER_LEASES,
      elsewhere = NOTHING_ELSEWHERE,
      viewersElsewhere = () => 0,
    }: Partial<StreamRegistryOptions> = {},
  ) {
    super('streams');
    this.#leases = leases;
    this.#elsewhere = elsewhere;
    this.#now = now;
    this.#ends = new DeclaredEnds(now);
    this.#here = new StreamsHere(engine, {
      resumeWithinMs,
      now,
      viewersElsewhere,
      endOf: (streamId) => this.endOf(streamId),
      interruptedElsewhere: (streamId) => {
        const { sources = [] } = elsewhere.find(streamId) ?? {};
        return new Set(sources.flatMap(({ sourceId, isInterrupted }) => (isInterrupted ? [sourceId] : [])));
      },
      onNews: (news) => {
        if (news.name === 'started') this.#ends.delete(news.streamId);
        this.emit('news', news);
      },
      onViewersHere: (streamId, viewers) => void this.emit('viewers-counted', streamId, viewers),
      onSource: (streamId, sourceId, { publisher, tracks, leaseExpiresAt, interruption }) => {
        const keptForMs = leaseExpiresAt === undefined ? null : Math.max(0, leaseExpiresAt - now());
        const isLive = tracks !== undefined;
        const isInterrupted = isLive && interruption.holds;
        leases.changed({ streamId, sourceId, sessionId: publisher.id, isLive, keptForMs, isInterrupted });
      },
    });
    elsewhere.on('changed', (streamId) => {
      this.#here.find(streamId)?.elsewhereChanged();
      this.emit('publishers-changed', streamId);
      this.#here.find(streamId)?.endKnown();
    });
  }

  stateOf(streamId: StreamId): StreamPresence {
    const here = this.#here.find(streamId)?.state;
    const there = this.#elsewhere.find(streamId);
    if (!there) return here ?? NO_PUBLISHERS;
    if (!here || here.publishers.length === 0) return there;
    return { live: here.live || there.live, publishers: [...here.publishers, ...there.publishers] };
  }

  /** How the last broadcast was meant to end, a short time ago. Undefined: it was not, or another one has begun. */
  endOf(streamId: StreamId): DeclaredEnd | undefined {
    if (this.stateOf(streamId).live) return undefined;
    return this.#elsewhere.endOf ? this.#elsewhere.endOf(streamId) : this.#ends.get(streamId);
  }

  /** Where the stream is, if another server has it and this one does not. */
  elsewhere(streamId: StreamId): StreamElsewhere | undefined {
    return this.#here.hasSources(streamId) ? undefined : this.#elsewhere.find(streamId);
  }

  /** See `StreamsElsewhere.refreshIfStale`. */
  refreshIfStale(streamId: StreamId): Promise<void> | undefined {
    return this.#here.hasSources(streamId) ? undefined : this.#elsewhere.refreshIfStale(streamId);
  }

  /** Whether a publisher can have a source of the stream; see `availabilityOf`. */
  sourceAvailability(streamId: StreamId, request: SourceRequest): SourceAvailability {
    const there = this.#elsewhere.find(streamId)?.sources ?? [];
    return availabilityOf([...this.#here.claimedSources(streamId), ...there], request);
  }

  /**
   * Stops every publisher of a stream. Its viewers stay and wait.
   * @returns false if there was no publisher
   * @throws {ApiError} 503 `database_unavailable`
   */
  async stop(accountId: string, streamName: string): Promise<boolean> {
    const publishers = this.#here.find(streamIdOf(accountId, streamName))?.state.publishers ?? [];
    for (const publisher of publishers) publisher.stop('stopped_by_owner');
    const isElsewhere = (await this.#leases.requestStop(accountId, streamName)) > 0;
    return publishers.length > 0 || isElsewhere;
  }

  /** Stops every publisher of an account. @returns how many there were @throws as `stop` does */
  async stopAll(accountId: string): Promise<number> {
    const publishers = this.#here.publishers(accountId);
    for (const publisher of publishers) publisher.stop('stopped_by_owner');
    return publishers.length + (await this.#leases.requestStop(accountId));
  }

  /**
   * Stops publishers of this server, because it may no longer have their sources.
   * @param sessionIds undefined: all
   */
  stopUnleased(sessionIds?: readonly string[]): void {
    for (const publisher of this.#here.publishers()) {
      if (sessionIds?.includes(publisher.id) ?? true) publisher.stop('database_unavailable');
    }
  }

  /** The tokens that an account publishes with now, on all streams or on one. */
  liveTokenIds(accountId: string, streamId?: StreamId): number[] {
    const publishers = streamId === undefined ? this.#publishersOf(accountId) : this.stateOf(streamId).publishers;
    return [...new Set(publishers.map(({ tokenId }) => tokenId))];
  }

  /** How many publishers with one of these tokens are connected. */
  countPublishers(accountId: string, tokenIds: readonly number[]): number {
    const wanted = new Set(tokenIds);
    return this.#publishersOf(accountId).filter(({ tokenId }) => wanted.has(tokenId)).length;
  }

  /** The streams of this server, of an account or of all, that are live now, in no order. */
  liveStreamsHere(accountId?: string): LiveStatus[] {
    return this.#here.list(accountId).flatMap(({ liveStatus }) => liveStatus ?? []);
  }

  /** When the stream became live, in milliseconds since 1970. Undefined: it is not live. */
  liveSinceOf(streamId: StreamId): number | undefined {
    return this.#here.find(streamId)?.liveSince ?? this.#elsewhere.find(streamId)?.liveSince;
  }

  /** Undefined: nobody on this server has the source. */
  publisherOf(streamId: StreamId, sourceId: SourceId): SourcePublisher | undefined {
    const source = this.#here.find(streamId)?.sources.get(sourceId);
    if (!source) return undefined;
    const { tokenId, codec } = source.publisher;
    return { tokenId, codec, isLive: source.tracks !== undefined };
  }

  /** The source that is shown first: the main source, or else the first one that is live. Undefined: none is. */
  firstSourceOf(streamId: StreamId): SourceId | undefined {
    const sources = [...(this.#here.find(streamId)?.sources ?? [])];
    const live = sources.flatMap(([sourceId, { tracks }]) => (tracks ? [sourceId] : []));
    return live.includes(null) ? null : live[0];
  }

  /** See `Stream.claim`. Decides within this server only: the publisher asks for the `lease` next. */
  claim(streamId: StreamId, publisher: Publisher, request: ClaimRequest): ClaimResult | undefined {
    const claim = this.#here.open(streamId).claim(publisher, request);
    if (claim) this.emit('publishers-changed', streamId);
    return claim;
  }

  /** Asks the other servers for a source that `publisher` has claimed here. If it is not held, release the source. */
  lease(streamId: StreamId, { id, sessionKey, tokenId }: Publisher, sourceId: SourceId): Promise<LeaseOutcome> {
    return this.#leases.claim({ streamId, sourceId, sessionId: id, sessionKey, tokenId });
  }

  /** See `Stream.holdLease`. */
  holdLease(streamId: StreamId, publisherId: string): void {
    this.#here.find(streamId)?.holdLease(publisherId);
  }

  /** @param isDeclared the publisher or the owner ended the broadcast */
  release(streamId: StreamId, publisherId: string, isDeclared = false): void {
    const stream = this.#here.find(streamId);
    const sourceId = stream?.sourceIdOf(publisherId);
    const end = stream?.release(publisherId, isDeclared);
    if (end) this.#ends.set(streamId, end);
    if (sourceId !== undefined) {
      this.#leases.release({ streamId, sourceId, sessionId: publisherId }, end !== undefined);
    }
    this.#here.removeIfEmpty(streamId);
    this.emit('publishers-changed', streamId);
  }

  /** See `Stream.sendSnapshot`. */
  sendSnapshot(streamId: StreamId, publisher: Publisher): void {
    this.#here.find(streamId)?.sendSnapshot(publisher);
  }

  /** Tells the publisher of a source whether the server is overloaded. Does nothing without that source. */
  sendLoad(streamId: StreamId, sourceId: SourceId, isOverloaded: boolean): void {
    this.#here.find(streamId)?.sendLoad(sourceId, isOverloaded);
  }

  /** Tells the publisher of a source whether it is being recorded. Does nothing without that source. */
  sendRecording(
    streamId: StreamId,
    sourceId: SourceId,
    { isRecording, fault }: { readonly isRecording: boolean; readonly fault: string | null },
  ): void {
    this.#here.find(streamId)?.sendRecording(sourceId, isRecording, fault);
  }

  /** Tells a viewer on which m-lines its video is paused. */
  sendPaused(streamId: StreamId, viewer: Viewer, mediaIds: readonly string[]): void {
    this.#here.find(streamId)?.sendPaused(viewer, mediaIds);
  }

  /** Tells a viewer that its media comes when the stream is live. */
  sendWaiting(streamId: StreamId, viewer: Viewer): void {
    this.#here.find(streamId)?.sendWaiting(viewer);
  }

  join(streamId: StreamId, viewer: Viewer): void {
    this.#here.open(streamId).join(viewer);
    this.emit('viewers-changed', streamId);
  }

  /** `viewer.reachable` changed. */
  reachabilityChanged(streamId: StreamId, viewer: Viewer): void {
    this.#here.find(streamId)?.reachabilityChanged(viewer);
  }

  leave(streamId: StreamId, viewer: Viewer): void {
    this.#here.find(streamId)?.leave(viewer);
    this.#here.removeIfEmpty(streamId);
    this.emit('viewers-changed', streamId);
  }

  /** The media engine receives the stream from another server from now on. */
  beginRelay(streamId: StreamId): void {
    this.#here.open(streamId).beginRelay();
  }

  /** See `Stream.endRelay`. */
  endRelay(streamId: StreamId): void {
    this.#here.find(streamId)?.endRelay();
    this.#here.removeIfEmpty(streamId);
  }

  /** See `Stream.endRelayedExcept`. */
  endRelayedExcept(streamId: StreamId, kept: ReadonlySet<SourceId>): void {
    this.#here.find(streamId)?.endRelayedExcept(kept);
  }

  /** The number of viewers on other servers changed. */
  viewersElsewhereChanged(streamId: StreamId): void {
    this.#here.find(streamId)?.viewersElsewhereChanged();
  }

  /** The sessions of this server that have a source of the stream. */
  sessionsOf(streamId: StreamId): readonly string[] {
    return this.#here.find(streamId)?.state.publishers.map(({ id }) => id) ?? [];
  }

  /** Whether the stream has viewers on this server, those that wait too. */
  hasViewers(streamId: StreamId): boolean {
    return this.#here.find(streamId)?.hasViewers ?? false;
  }

  /** The viewers of a stream, those that wait too. */
  viewersOf(streamId: StreamId): readonly Viewer[] {
    return this.#here.find(streamId)?.viewers ?? [];
  }

  /** The event that tells members of a stream to connect to another server. Undefined if the stream has no members. */
  migrateEvent(streamId: StreamId): StreamEvent | undefined {
    return this.#here.find(streamId)?.migrateEvent();
  }

  /** The number of the newest event of a stream; see `StreamEvent`. */
  seqOf(streamId: StreamId): number {
    return this.#here.find(streamId)?.seq ?? this.#now();
  }

  #publishersOf(accountId: string): { readonly tokenId: number }[] {
    const there = this.#elsewhere.ofAccount(accountId).flatMap(({ publishers }) => publishers);
    return [...this.#here.publishers(accountId), ...there];
  }
}

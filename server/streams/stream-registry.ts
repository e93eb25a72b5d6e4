import { EventEmitter } from 'node:events';
import { catchErrors } from '../catch-errors.js';
import type { MediaEngineEvents, SourceId } from '../media/media-engine.js';
import type { LiveStatus } from './live-status.js';
import type { Publisher, Viewer } from './member.js';
import type { ClaimRequest, ClaimResult } from './source.js';
import type { StreamEvent } from './stream-event.js';
import { Stream, type StreamNews, type StreamOptions, type StreamState } from './stream.js';

/** `account/name`, as on the wire. It is unique because an account id has no slash. */
export function streamIdOf(accountId: string, streamName: string): string {
  return `${accountId}/${streamName}`;
}

/** The source that a publisher asks the director for. */
export interface SourceRequest {
  /** The key of the lost session that the publisher resumes. */
  readonly sessionKey?: string | undefined;
  /** Undefined if the publisher names the source only in its `publish` command. */
  readonly sourceId?: SourceId | undefined;
}

export interface SourceAvailability {
  /** Another publisher has the source. */
  readonly taken: boolean;
  /** How soon the lease of a lost publisher ends. Undefined while the publisher is connected. */
  readonly freeInMs: number | undefined;
  /** The session that the publisher resumes. */
  readonly resumes: string | null;
}

const NO_PUBLISHERS: StreamState = Object.freeze({ live: false, publishers: [] });
const FREE: SourceAvailability = Object.freeze({ taken: false, freeInMs: undefined, resumes: null });

const RESUME_WITHIN_MS = 10_000;

function rethrow(error: unknown): never {
  throw error;
}

export interface StreamRegistryEvents {
  /** The publishers of a stream changed. Emitted before the media engine is asked for the media of a new publisher. */
  'publishers-changed': [streamId: string];
  /** Listeners must not throw. */
  news: [news: StreamNews];
}

/** All streams of this server that have a publisher or a viewer. */
export class StreamRegistry extends EventEmitter<StreamRegistryEvents> {
  readonly #streams = new Map<string, Stream>();
  readonly #options: StreamOptions;

  /** @param engine reports when media starts, changes and ends */
  constructor(
    engine: EventEmitter<MediaEngineEvents>,
    { resumeWithinMs = RESUME_WITHIN_MS, now = Date.now, onError = rethrow }: Partial<StreamOptions> = {},
  ) {
    super();
    this.#options = { resumeWithinMs, now, onError, onNews: (news) => void this.emit('news', news) };
    const withStream = (streamId: string, apply: (stream: Stream) => void): void => {
      const stream = this.#streams.get(streamId);
      if (stream) catchErrors(onError, apply)(stream);
    };
    engine.on('live', (streamId, sourceId, tracks) => {
      withStream(streamId, (stream) => stream.mediaStarted(sourceId, tracks));
    });
    engine.on('updated', (streamId, sourceId, tracks) => {
      withStream(streamId, (stream) => stream.mediaUpdated(sourceId, tracks));
    });
    engine.on('ended', (streamId, sourceId) => {
      withStream(streamId, (stream) => stream.mediaEnded(sourceId));
    });
    engine.on('reception', (streamId, sourceId, state) => {
      withStream(streamId, (stream) => stream.receptionMeasured(sourceId, state));
    });
    engine.on('layers', (streamId, sourceId, layers) => {
      withStream(streamId, (stream) => stream.layersMeasured(sourceId, layers));
    });
  }

  stateOf(streamId: string): StreamState {
    return this.#streams.get(streamId)?.state ?? NO_PUBLISHERS;
  }

  /**
   * Whether a publisher can have a source of the stream. A publisher that names no source is refused if the only source
   * of the stream is the main source. Beside several sources it is let in: its `publish` command names the source (see
   * docs/decisions/0009).
   */
  sourceAvailability(streamId: string, { sessionKey, sourceId }: SourceRequest): SourceAvailability {
    const sources = this.#streams.get(streamId)?.sources;
    if (!sources) return FREE;
    for (const { publisher } of sources.values()) {
      if (publisher.sessionKey === sessionKey) return { ...FREE, resumes: publisher.id };
    }
    const conflict =
      sourceId !== undefined ? sources.get(sourceId) : sources.size === 1 ? sources.get(null) : undefined;
    if (!conflict) return FREE;
    const { leaseExpiresAt } = conflict;
    const freeInMs = leaseExpiresAt === undefined ? undefined : Math.max(0, leaseExpiresAt - this.#options.now());
    return { taken: true, freeInMs, resumes: null };
  }

  /** Stops every publisher of a stream. Its viewers stay and wait. @returns false if there was no publisher */
  stop(streamId: string): boolean {
    const { publishers } = this.stateOf(streamId);
    for (const publisher of publishers) publisher.stop('stopped_by_owner');
    return publishers.length > 0;
  }

  /** Stops every publisher of an account. @returns how many there were */
  stopAll(accountId: string): number {
    const publishers = this.#publishersOf(accountId);
    for (const publisher of publishers) publisher.stop('stopped_by_owner');
    return publishers.length;
  }

  /** The tokens that an account publishes with now, on all streams or on one. */
  liveTokenIds(accountId: string, streamId?: string): number[] {
    const publishers = streamId === undefined ? this.#publishersOf(accountId) : this.stateOf(streamId).publishers;
    return [...new Set(publishers.map(({ tokenId }) => tokenId))];
  }

  /** How many publishers with one of these tokens are connected. */
  countPublishers(accountId: string, tokenIds: readonly number[]): number {
    const wanted = new Set(tokenIds);
    return this.#publishersOf(accountId).filter(({ tokenId }) => wanted.has(tokenId)).length;
  }

  /** The streams of an account that are live now, in no order. */
  liveStreams(accountId: string): LiveStatus[] {
    const prefix = streamIdOf(accountId, '');
    return [...this.#streams.values()].flatMap((stream) =>
      stream.id.startsWith(prefix) ? (stream.liveStatus ?? []) : [],
    );
  }

  /** When the stream became live, in milliseconds since 1970. Undefined: it is not live. */
  liveSinceOf(streamId: string): number | undefined {
    return this.#streams.get(streamId)?.liveSince;
  }

  /** Who publishes a source, and whether its media flows or a lease keeps it live. Undefined: nobody has it. */
  publisherOf(
    streamId: string,
    sourceId: SourceId,
  ): { readonly tokenId: number; readonly isLive: boolean } | undefined {
    const source = this.#streams.get(streamId)?.sources.get(sourceId);
    return source && { tokenId: source.publisher.tokenId, isLive: source.tracks !== undefined };
  }

  /** The source that is shown first: the main source, or else the first one that is live. Undefined: none is. */
  firstSourceOf(streamId: string): SourceId | undefined {
    const sources = [...(this.#streams.get(streamId)?.sources ?? [])];
    const live = sources.flatMap(([sourceId, { tracks }]) => (tracks ? [sourceId] : []));
    return live.includes(null) ? null : live[0];
  }

  /** See `Stream.claim`. */
  claim(streamId: string, publisher: Publisher, request: ClaimRequest): ClaimResult | undefined {
    const claim = this.#openStream(streamId).claim(publisher, request);
    if (claim) this.emit('publishers-changed', streamId);
    return claim;
  }

  /** See `Stream.holdLease`. */
  holdLease(streamId: string, publisherId: string): void {
    this.#streams.get(streamId)?.holdLease(publisherId);
  }

  release(streamId: string, publisherId: string): void {
    this.#streams.get(streamId)?.release(publisherId);
    this.#removeIfEmpty(streamId);
    this.emit('publishers-changed', streamId);
  }

  /** See `Stream.sendSnapshot`. */
  sendSnapshot(streamId: string, publisher: Publisher): void {
    this.#streams.get(streamId)?.sendSnapshot(publisher);
  }

  /** Tells the publisher of a source whether it is being recorded. Does nothing without that source. */
  sendRecording(
    streamId: string,
    sourceId: SourceId,
    { isRecording, fault }: { readonly isRecording: boolean; readonly fault: string | null },
  ): void {
    this.#streams.get(streamId)?.sendRecording(sourceId, isRecording, fault);
  }

  /** Tells a viewer on which m-lines its video is paused. */
  sendPaused(streamId: string, viewer: Viewer, mediaIds: readonly string[]): void {
    this.#streams.get(streamId)?.sendPaused(viewer, mediaIds);
  }

  join(streamId: string, viewer: Viewer): void {
    this.#openStream(streamId).join(viewer);
  }

  /** `viewer.reachable` changed. */
  reachabilityChanged(streamId: string, viewer: Viewer): void {
    this.#streams.get(streamId)?.reachabilityChanged(viewer);
  }

  leave(streamId: string, viewer: Viewer): void {
    this.#streams.get(streamId)?.leave(viewer);
    this.#removeIfEmpty(streamId);
  }

  /** The event that members of a stream receive before the server stops. Undefined if the stream has no members. */
  migrateEvent(streamId: string): StreamEvent | undefined {
    return this.#streams.get(streamId)?.migrateEvent();
  }

  /** The number of the newest event of a stream; see `StreamEvent`. */
  seqOf(streamId: string): number {
    return this.#streams.get(streamId)?.seq ?? this.#options.now();
  }

  #publishersOf(accountId: string): Publisher[] {
    const prefix = streamIdOf(accountId, '');
    return [...this.#streams.values()].flatMap((stream) =>
      stream.id.startsWith(prefix) ? stream.state.publishers : [],
    );
  }

  #openStream(streamId: string): Stream {
    const known = this.#streams.get(streamId);
    if (known) return known;
    const stream = new Stream(streamId, this.#options);
    this.#streams.set(streamId, stream);
    return stream;
  }

  #removeIfEmpty(streamId: string): void {
    const stream = this.#streams.get(streamId);
    if (!stream?.isEmpty) return;
    stream.close();
    this.#streams.delete(streamId);
  }
}

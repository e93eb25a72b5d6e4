import { EventEmitter } from 'node:events';
import { catchErrors } from '../catch-errors.js';
import type { MediaEngineEvents, SourceId } from '../media/media-engine.js';
import type { Publisher, Viewer } from './member.js';
import type { StreamEvent } from './stream-event.js';
import type { ClaimResult, ClaimRequest } from './source.js';
import { Stream, type StreamOptions, type StreamState } from './stream.js';

/** `account/name`, as the wire writes it. An account id holds no slash, so this is unique. */
export function streamIdOf(accountId: string, streamName: string): string {
  return `${accountId}/${streamName}`;
}

/** What a broadcaster says of the place that he wants. */
export interface SourceRequest {
  /** The key of the session that he lost. */
  readonly sessionKey?: string | undefined;
  /** Undefined: he did not say, and tells it when he publishes. */
  readonly sourceId?: SourceId | undefined;
}

export interface SourceAvailability {
  /** It is another's. */
  readonly taken: boolean;
  /** How soon it is free if the other does not come back for it; undefined while he is there. */
  readonly freeInMs: number | undefined;
  /** The session whose place it is, where it is his who asks. */
  readonly resumes: string | null;
}

const NOBODY: StreamState = Object.freeze({ live: false, publishers: [] });
const FREE: SourceAvailability = Object.freeze({ taken: false, freeInMs: undefined, resumes: null });

const RESUME_WITHIN_MS = 10_000;

function rethrow(error: unknown): never {
  throw error;
}

export interface StreamRegistryEvents {
  /** Other sessions publish the stream than before. Told before the engine hears of a new one. */
  'publishers-changed': [streamId: string];
}

/** Who is live where. A stream is kept for as long as anybody publishes, watches or waits on its name. */
export class StreamRegistry extends EventEmitter<StreamRegistryEvents> {
  readonly #streams = new Map<string, Stream>();
  readonly #options: StreamOptions;

  /** @param engine says when media begins and ends to flow */
  constructor(
    engine: EventEmitter<MediaEngineEvents>,
    { resumeWithinMs = RESUME_WITHIN_MS, now = Date.now, onFault = rethrow }: Partial<StreamOptions> = {},
  ) {
    super();
    this.#options = { resumeWithinMs, now, onFault };
    const at = (streamId: string, act: (stream: Stream) => void): void => {
      const stream = this.#streams.get(streamId);
      if (stream) catchErrors(onFault, act)(stream);
    };
    engine.on('live', (streamId, sourceId, tracks) => at(streamId, (stream) => stream.mediaStarted(sourceId, tracks)));
    engine.on('updated', (streamId, sourceId, tracks) =>
      at(streamId, (stream) => stream.mediaUpdated(sourceId, tracks)),
    );
    engine.on('ended', (streamId, sourceId) => at(streamId, (stream) => stream.mediaEnded(sourceId)));
    engine.on('layers', (streamId, sourceId, layers) =>
      at(streamId, (stream) => stream.layersMeasured(sourceId, layers)),
    );
  }

  stateOf(streamId: string): StreamState {
    return this.#streams.get(streamId)?.state ?? NOBODY;
  }

  /**
   * Whether a broadcaster may have a place on the stream. Who does not name his source may have that of a main source
   * only, or be the next of several: a main source that is alone keeps others out, among several it does not (see
   * docs/decisions/0009).
   */
  sourceAvailability(streamId: string, { sessionKey, sourceId }: SourceRequest): SourceAvailability {
    const sources = this.#streams.get(streamId)?.sources;
    if (!sources) return FREE;
    for (const { publisher } of sources.values()) {
      if (publisher.sessionKey === sessionKey) return { ...FREE, resumes: publisher.id };
    }
    const inTheWay =
      sourceId !== undefined ? sources.get(sourceId) : sources.size === 1 ? sources.get(null) : undefined;
    if (!inTheWay) return FREE;
    const { leaseExpiresAt } = inTheWay;
    const freeInMs = leaseExpiresAt === undefined ? undefined : Math.max(0, leaseExpiresAt - this.#options.now());
    return { taken: true, freeInMs, resumes: null };
  }

  /** Ends the broadcast of a stream, every source of it; false when there is none. Its viewers stay, and wait. */
  stop(streamId: string): boolean {
    const { publishers } = this.stateOf(streamId);
    for (const publisher of publishers) publisher.stop('stopped_by_owner');
    return publishers.length > 0;
  }

  /** Ends every broadcast of an account; how many there were. */
  stopAll(accountId: string): number {
    const publishers = this.#publishersOf(accountId);
    for (const publisher of publishers) publisher.stop('stopped_by_owner');
    return publishers.length;
  }

  /** The tokens that an account's broadcasts are under way with; of one stream, where it is named. */
  liveTokenIds(accountId: string, streamId?: string): number[] {
    const publishers = streamId === undefined ? this.#publishersOf(accountId) : this.stateOf(streamId).publishers;
    return [...new Set(publishers.map(({ tokenId }) => tokenId))];
  }

  /** Takes a source; undefined while it is another's. See `Stream.claim`. */
  claim(streamId: string, publisher: Publisher, wish: ClaimRequest): ClaimResult | undefined {
    const claim = this.#open(streamId).claim(publisher, wish);
    if (claim) this.emit('publishers-changed', streamId);
    return claim;
  }

  /** Keeps the source of a broadcaster who was lost. See `Stream.hold`. */
  holdLease(streamId: string, publisherId: string): void {
    this.#streams.get(streamId)?.holdLease(publisherId);
  }

  release(streamId: string, publisherId: string): void {
    this.#streams.get(streamId)?.release(publisherId);
    this.#forgetIfDeserted(streamId);
    this.emit('publishers-changed', streamId);
  }

  /** Tells a publisher what is true of the stream. */
  sendSnapshot(streamId: string, publisher: Publisher): void {
    this.#streams.get(streamId)?.sendSnapshot(publisher);
  }

  join(streamId: string, viewer: Viewer): void {
    this.#open(streamId).join(viewer);
  }

  /** `viewer.reachable` became another. */
  reachabilityChanged(streamId: string, viewer: Viewer): void {
    this.#streams.get(streamId)?.reachabilityChanged(viewer);
  }

  leave(streamId: string, viewer: Viewer): void {
    this.#streams.get(streamId)?.leave(viewer);
    this.#forgetIfDeserted(streamId);
  }

  /** What the members of a stream are told before the server stops; the same object for all of them. */
  migrateEvent(streamId: string): StreamEvent | undefined {
    return this.#streams.get(streamId)?.migrateEvent();
  }

  /** Of what the stream's members were told last; see `StreamNews`. */
  seqOf(streamId: string): number {
    return this.#streams.get(streamId)?.seq ?? this.#options.now();
  }

  #publishersOf(accountId: string): Publisher[] {
    const prefix = streamIdOf(accountId, '');
    return [...this.#streams.values()].flatMap((stream) =>
      stream.id.startsWith(prefix) ? stream.state.publishers : [],
    );
  }

  #open(streamId: string): Stream {
    const known = this.#streams.get(streamId);
    if (known) return known;
    const stream = new Stream(streamId, this.#options);
    this.#streams.set(streamId, stream);
    return stream;
  }

  #forgetIfDeserted(streamId: string): void {
    const stream = this.#streams.get(streamId);
    if (!stream?.isEmpty) return;
    stream.close();
    this.#streams.delete(streamId);
  }
}

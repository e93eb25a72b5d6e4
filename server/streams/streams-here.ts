import type { EventEmitter } from 'node:events';
import { attempt } from '../faults/contain.js';
import type { MediaEngineEvents } from '../media/engine/media-engine.js';
import type { Publisher } from './member.js';
import type { ClaimedSource } from './source-availability.js';
import { namesOf, type StreamId } from './stream-id.js';
import { Stream, type StreamOptions } from './stream.js';

/** The streams of this server, from their first publisher or viewer to their last, as the media engine reports them. */
export class StreamsHere {
  /** By id, which media engines know as a text. */
  readonly #streams = new Map<string, Stream>();
  readonly #options: StreamOptions;

  /** @param engine reports when media starts, changes and ends */
  constructor(engine: EventEmitter<MediaEngineEvents>, options: StreamOptions) {
    this.#options = options;
    const withStream = (streamId: string, apply: (stream: Stream) => void): void => {
      const stream = this.#streams.get(streamId);
      if (stream) attempt('streams', () => apply(stream), { of: { stream: streamId } });
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

  find(streamId: StreamId): Stream | undefined {
    return this.#streams.get(streamId);
  }

  /** Creates the stream if it is not here. The caller adds a publisher, a viewer or a relay. */
  open(streamId: StreamId): Stream {
    const known = this.#streams.get(streamId);
    if (known) return known;
    const stream = new Stream(streamId, this.#options);
    this.#streams.set(streamId, stream);
    return stream;
  }

  removeIfEmpty(streamId: StreamId): void {
    const stream = this.#streams.get(streamId);
    if (!stream?.isEmpty) return;
    stream.close();
    this.#streams.delete(streamId);
  }

  /** The streams of an account, or of all, in no order. */
  list(accountId?: string): Stream[] {
    const streams = [...this.#streams.values()];
    return accountId === undefined ? streams : streams.filter(({ id }) => namesOf(id).accountId === accountId);
  }

  /** The publishers of an account, or of all. */
  publishers(accountId?: string): Publisher[] {
    return this.list(accountId).flatMap(({ state }) => state.publishers);
  }

  hasSources(streamId: StreamId): boolean {
    return (this.#streams.get(streamId)?.sources.size ?? 0) > 0;
  }

  claimedSources(streamId: StreamId): ClaimedSource[] {
    const now = this.#options.now();
    return [...(this.#streams.get(streamId)?.sources ?? [])].map(([sourceId, { publisher, leaseExpiresAt }]) => ({
      sourceId,
      sessionId: publisher.id,
      freeInMs: leaseExpiresAt === undefined ? undefined : Math.max(0, leaseExpiresAt - now),
      isOf: (sessionKey: string) => publisher.sessionKey === sessionKey,
    }));
  }
}

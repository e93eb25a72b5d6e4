import type { SourceId, TrackKind } from '../media/engine/media-track.js';
import type { Publisher } from './member.js';
import { Source, type ClaimRequest, type ClaimResult } from './source.js';

export interface StreamState {
  /** Whether media flows, or a lease keeps the stream live. */
  readonly live: boolean;
  /** The publishers of all sources, lost publishers with a lease included. */
  readonly publishers: readonly Publisher[];
}

export interface StreamSourcesOptions {
  /** The lease: how long the source of a lost publisher is kept. */
  readonly resumeWithinMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The lease of a source expired, and its publisher is connected: its media did not come. */
  readonly onExpired: (sourceId: SourceId, source: Source) => void;
  /** Receives the errors of timers. */
}

/** The sources of a stream that this server has: who publishes each, and how long it is kept for a lost publisher. */
export class StreamSources {
  readonly #options: StreamSourcesOptions;
  readonly #sources = new Map<SourceId, Source>();
  /** Cached, because every admission of a viewer reads it. Undefined after a change. */
  #state: StreamState | undefined;

  constructor(options: StreamSourcesOptions) {
    this.#options = options;
  }

  get all(): ReadonlyMap<SourceId, Source> {
    return this.#sources;
  }

  get state(): StreamState {
    if (this.#state) return this.#state;
    const sources = [...this.#sources.values()];
    const live = sources.some(({ tracks }) => tracks !== undefined);
    return (this.#state = { live, publishers: sources.map(({ publisher }) => publisher) });
  }

  find(sourceId: SourceId): Source | undefined {
    return this.#sources.get(sourceId);
  }

  /** The source of a publisher. Undefined: it has none. */
  of(publisherId: string): [SourceId, Source] | undefined {
    for (const entry of this.#sources) if (entry[1].publisher.id === publisherId) return entry;
    return undefined;
  }

  /**
   * Takes a source for `publisher`.
   * @returns undefined if another session has the source, unless `publisher` resumes that session
   * @throws {Error} the publisher has a source already; a session has one at most
   */
  claim(publisher: Publisher, { sourceId, resumable, resumes }: ClaimRequest): ClaimResult | undefined {
    if (this.of(publisher.id)) throw new Error(`session ${publisher.id} has a source already`);
    const source = this.#sources.get(sourceId);
    if (!source) {
      this.#sources.set(sourceId, new Source(publisher, resumable));
      this.#state = undefined;
      return { previous: undefined };
    }
    const previous = source.publisher;
    if (previous.id !== resumes) return undefined;
    source.publisher = publisher;
    source.resumable = resumable;
    this.#state = undefined;
    previous.stop('replaced');
    // A publisher that resumes and then sends no media must not keep the stream live for ever.
    this.renewLease(sourceId, source);
    return { previous };
  }

  release(sourceId: SourceId, source: Source): void {
    source.cancelLease();
    source.interruption.end();
    this.#sources.delete(sourceId);
    this.#state = undefined;
  }

  /** Keeps the source for the lease. A running lease is not extended. */
  startLease(sourceId: SourceId, source: Source): void {
    const { resumeWithinMs, now, onExpired } = this.#options;
    const expire = () => {
      if (source.publisher.suspended) source.publisher.leaseExpired();
      else onExpired(sourceId, source);
    };
    source.startLease(resumeWithinMs, now(), expire);
  }

  /** Keeps the source for a whole lease from now on. */
  renewLease(sourceId: SourceId, source: Source): void {
    source.cancelLease();
    this.startLease(sourceId, source);
  }

  /** @returns when it became live, in milliseconds since 1970 */
  begin(source: Source, tracks: readonly TrackKind[]): number {
    this.#state = undefined;
    source.tracks = tracks;
    return (source.liveSince = this.#options.now());
  }

  end(source: Source): void {
    this.#state = undefined;
    source.tracks = undefined;
    source.liveSince = undefined;
    source.layers = undefined;
    source.interruption.end();
    source.reception.clear();
  }

  close(): void {
    for (const source of this.#sources.values()) {
      source.cancelLease();
      source.interruption.end();
    }
  }
}

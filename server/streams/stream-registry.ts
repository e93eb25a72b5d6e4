import type { EventEmitter } from 'node:events';
import type { MediaEngineEvents } from '../media/media-engine.js';
import type { Publisher, Viewer } from './member.js';
import { Stream } from './stream.js';

/** `account/name`, as the wire writes it. An account id holds no slash, so this is unique. */
export function streamIdOf(accountId: string, streamName: string): string {
  return `${accountId}/${streamName}`;
}

export interface StreamState {
  /** Media flows. */
  readonly live: boolean;
  readonly publisher: Publisher | undefined;
}

const NOBODY: StreamState = Object.freeze({ live: false, publisher: undefined });

/** Who is live where. A stream is kept for as long as anybody publishes, watches or waits on its name. */
export class StreamRegistry {
  readonly #streams = new Map<string, Stream>();

  /** @param engine says when media begins and ends to flow */
  constructor(engine: EventEmitter<MediaEngineEvents>) {
    engine.on('live', (streamId, _sourceId, tracks) => this.#streams.get(streamId)?.begin(tracks));
    engine.on('ended', (streamId) => this.#streams.get(streamId)?.end());
  }

  stateOf(streamId: string): StreamState {
    return this.#streams.get(streamId) ?? NOBODY;
  }

  /** Ends the broadcast of a stream; false when there is none. Its viewers stay, and wait. */
  stop(streamId: string): boolean {
    const publisher = this.#streams.get(streamId)?.publisher;
    publisher?.stop('stopped_by_owner');
    return publisher !== undefined;
  }

  /** Ends every broadcast of an account; how many there were. */
  stopAll(accountId: string): number {
    const publishers = this.#publishersOf(accountId);
    for (const publisher of publishers) publisher.stop('stopped_by_owner');
    return publishers.length;
  }

  /** The tokens that an account's broadcasts are under way with; of one stream, where it is named. */
  liveTokenIds(accountId: string, streamId?: string): number[] {
    const publishers = streamId === undefined ? this.#publishersOf(accountId) : [this.stateOf(streamId).publisher];
    return [...new Set(publishers.flatMap((publisher) => (publisher ? [publisher.tokenId] : [])))];
  }

  /** Takes the name, or answers false while it is another's. See `Stream.claim`. */
  claim(streamId: string, publisher: Publisher, resumes: string | null): boolean {
    return this.#open(streamId).claim(publisher, resumes);
  }

  release(streamId: string, publisher: Publisher): void {
    this.#streams.get(streamId)?.release(publisher);
    this.#forgetIfDeserted(streamId);
  }

  join(streamId: string, viewer: Viewer): void {
    this.#open(streamId).join(viewer);
  }

  leave(streamId: string, viewer: Viewer): void {
    this.#streams.get(streamId)?.leave(viewer);
    this.#forgetIfDeserted(streamId);
  }

  #publishersOf(accountId: string): Publisher[] {
    const prefix = streamIdOf(accountId, '');
    return [...this.#streams.values()].flatMap(({ id, publisher }) =>
      publisher && id.startsWith(prefix) ? [publisher] : [],
    );
  }

  #open(streamId: string): Stream {
    const known = this.#streams.get(streamId);
    if (known) return known;
    const stream = new Stream(streamId);
    this.#streams.set(streamId, stream);
    return stream;
  }

  #forgetIfDeserted(streamId: string): void {
    const stream = this.#streams.get(streamId);
    if (!stream?.deserted) return;
    stream.close();
    this.#streams.delete(streamId);
  }
}

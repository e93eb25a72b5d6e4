import { after } from '../faults/timers.js';
import { namesOf, type StreamId } from '../streams/stream-id.js';
import type { StreamNews } from '../streams/stream.js';
import { firstViewer, noViewers, streamEnded, streamStarted, type Occurrence } from './occurrence.js';

/** A viewer who reloads the page, or one who leaves just before the next one comes, is no news. */
export const NO_VIEWERS_AFTER_MS = 60_000;

/** The viewers of a live stream. `leaving`: there are none now, and that is not said yet. */
type Audience = { readonly name: 'none' | 'present' } | { readonly name: 'leaving'; readonly timer: NodeJS.Timeout };

/** The streams of this server. */
export interface StreamNewsSource {
  on(event: 'news', listener: (news: StreamNews) => void): unknown;
}

export interface StreamOccurrencesOptions {
  /** Must not throw. */
  readonly onOccurrence: (occurrence: Occurrence) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly noViewersAfterMs?: number;
}

/**
 * Makes events for webhooks of what the streams of this server do. `stream.first_viewer` and `stream.no_viewers` come in
 * turn, between `stream.started` and `stream.ended`.
 */
export class StreamOccurrences {
  readonly #options: StreamOccurrencesOptions;
  readonly #audiences = new Map<StreamId, Audience>();

  constructor(options: StreamOccurrencesOptions) {
    this.#options = options;
  }

  follow(streams: StreamNewsSource): void {
    streams.on('news', (news) => this.apply(news));
  }

  apply(news: StreamNews): void {
    const { streamId } = news;
    switch (news.name) {
      case 'started':
        this.#audiences.set(streamId, { name: 'none' });
        this.#tell(streamStarted({ ...subjectOf(streamId), time: news.since }));
        return;
      case 'watched':
        return this.#watched(streamId);
      case 'unwatched':
        return this.#unwatched(streamId);
      case 'ended':
        this.#nobody(streamId);
        this.#audiences.delete(streamId);
        this.#tell(streamEnded(this.#subject(streamId), news.since));
    }
  }

  close(): void {
    for (const audience of this.#audiences.values()) stopTimer(audience);
  }

  #watched(streamId: StreamId): void {
    const before = this.#audiences.get(streamId);
    stopTimer(before);
    this.#audiences.set(streamId, { name: 'present' });
    if (before?.name === 'none') this.#tell(firstViewer(this.#subject(streamId)));
  }

  #unwatched(streamId: StreamId): void {
    if (this.#audiences.get(streamId)?.name !== 'present') return;
    const { noViewersAfterMs = NO_VIEWERS_AFTER_MS } = this.#options;
    const timer = after('webhooks', noViewersAfterMs, () => this.#nobody(streamId)).unref();
    this.#audiences.set(streamId, { name: 'leaving', timer });
  }

  #nobody(streamId: StreamId): void {
    const before = this.#audiences.get(streamId);
    stopTimer(before);
    if (!before || before.name === 'none') return;
    this.#audiences.set(streamId, { name: 'none' });
    this.#tell(noViewers(this.#subject(streamId)));
  }

  #subject(streamId: StreamId) {
    return { ...subjectOf(streamId), time: this.#options.now() };
  }

  #tell(occurrence: Occurrence): void {
    this.#options.onOccurrence(occurrence);
  }
}

function stopTimer(audience: Audience | undefined): void {
  if (audience?.name === 'leaving') clearTimeout(audience.timer);
}

function subjectOf(streamId: StreamId) {
  const { accountId, streamName } = namesOf(streamId);
  return { accountId, streamName };
}

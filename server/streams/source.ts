import type { LayerState, SourceId, TrackKind } from '../media/media-engine.js';
import type { Publisher } from './member.js';

/** The source that a publisher wants. */
export interface ClaimRequest {
  readonly sourceId: SourceId;
  /** The client can come back when it is lost. */
  readonly resumable: boolean;
  /** The lost session whose source it may take over. */
  readonly resumes: string | null;
}

/** A source that was taken. */
export interface ClaimResult {
  /** The lost session whose source it was. */
  readonly before: Publisher | undefined;
}

/** One source of a stream: whose it is, and what viewers were told of it. */
export class Source {
  publisher: Publisher;
  /** The publisher can come back: when its media ends without a word, the source is kept for a while. */
  resumable: boolean;
  /** What viewers were told that flows; undefined: nothing does. */
  tracks: readonly TrackKind[] | undefined;
  /** Its video, as it was measured last. */
  layers: readonly LayerState[] | undefined;
  #frozen: { readonly until: number; readonly timer: NodeJS.Timeout } | undefined;

  constructor(publisher: Publisher, resumable: boolean) {
    this.publisher = publisher;
    this.resumable = resumable;
  }

  /** When the place of a broadcaster who was lost is free for others; undefined while he is there. */
  get leaseExpiresAt(): number | undefined {
    return this.publisher.suspended ? this.#frozen?.until : undefined;
  }

  /** Viewers keep what they were told until media flows again, or until `onOver`. It begins once. */
  startLease(forMs: number, now: number, onOver: () => void): void {
    if (this.#frozen) return;
    const timer = setTimeout(() => {
      this.#frozen = undefined;
      onOver();
    }, forMs);
    timer.unref();
    this.#frozen = { until: now + forMs, timer };
  }

  cancelLease(): void {
    clearTimeout(this.#frozen?.timer);
    this.#frozen = undefined;
  }
}

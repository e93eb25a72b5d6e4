import { after } from '../faults/timers.js';
import type { LayerState } from '../media/engine/media-figures.js';
import type { SourceId, TrackKind } from '../media/engine/media-track.js';
import type { Publisher } from './member.js';
import { Interruption } from './interruption.js';
import { RecentReception } from './reception.js';

/** A publisher asks for a source. */
export interface ClaimRequest {
  readonly sourceId: SourceId;
  /** The client can resume after it was lost. */
  readonly resumable: boolean;
  /** The session that the client resumes and whose source it may take over. */
  readonly resumes: string | null;
}

export interface ClaimResult {
  /** The session that had the source before, if the publisher resumes it. */
  readonly previous: Publisher | undefined;
}

/** One source of a stream: its publisher, and the tracks that were announced to viewers. */
export class Source {
  readonly interruption = new Interruption();
  publisher: Publisher;
  /** The client can resume: if its media ends unexpectedly, the source is kept for the lease. */
  resumable: boolean;
  /** The tracks that were announced to viewers. Undefined if the source is not live. */
  tracks: readonly TrackKind[] | undefined;
  /** When the source became live, in milliseconds since 1970. Undefined if it is not live. */
  liveSince: number | undefined;
  /** The layers of the video as they were measured last. */
  layers: readonly LayerState[] | undefined;
  readonly reception = new RecentReception();
  #lease: { readonly expiresAt: number; readonly timer: NodeJS.Timeout } | undefined;

  constructor(publisher: Publisher, resumable: boolean) {
    this.publisher = publisher;
    this.resumable = resumable;
  }

  /** When the source of a lost publisher becomes free. Undefined while the publisher is connected. */
  get leaseExpiresAt(): number | undefined {
    return this.publisher.suspended ? this.#lease?.expiresAt : undefined;
  }

  /** Keeps the source live for viewers until media flows again or the lease expires. A running lease is not extended. */
  startLease(durationMs: number, now: number, onExpired: () => void): void {
    if (this.#lease) return;
    const timer = after('streams', durationMs, () => {
      this.#lease = undefined;
      onExpired();
    });
    timer.unref();
    this.#lease = { expiresAt: now + durationMs, timer };
  }

  cancelLease(): void {
    clearTimeout(this.#lease?.timer);
    this.#lease = undefined;
  }
}

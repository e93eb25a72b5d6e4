import type { TappedFrame } from '../../media/engine/tap.js';

/** What waits for the disk. */
export interface Backlog {
  readonly bytes: number;
  /** How long the oldest byte has waited. */
  readonly ms: number;
}

/** A disk that does not keep up costs frames, and no more memory than this for each part. */
export const MAX_BACKLOG: Backlog = { bytes: 8 * 1024 * 1024, ms: 10_000 };

/**
 * Decides which frames are left out. When the disk is too slow, all are, until half of the backlog is written. Video
 * goes on with a keyframe, because nothing else can be decoded.
 */
export class DropPolicy {
  readonly #most: Backlog;
  #isFull = false;
  #needsKeyframe = true;

  constructor(most: Backlog = MAX_BACKLOG) {
    this.#most = most;
  }

  /** Whether the disk does not keep up. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** @param backlog without this frame */
  accepts({ kind, data, isKeyframe }: Pick<TappedFrame, 'kind' | 'data' | 'isKeyframe'>, backlog: Backlog): boolean {
    const part = this.#isFull ? 0.5 : 1;
    this.#isFull = backlog.bytes + data.length > this.#most.bytes * part || backlog.ms > this.#most.ms * part;
    const accepted = !this.#isFull && (kind === 'audio' || isKeyframe || !this.#needsKeyframe);
    if (kind === 'video') this.#needsKeyframe = !accepted;
    return accepted;
  }

  /** Frames are missing before the next one. */
  gap(): void {
    this.#needsKeyframe = true;
  }
}

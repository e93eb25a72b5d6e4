import type { Block } from './cluster.js';
import { opusDurationMs } from './opus-packet.js';

/** A last frame after a gap is not shown for as long as the gap. */
const LONGEST_LAST_FRAME_MS = 1_000;

/** Follows where the media of a file end: where the last frame of each kind has been shown. */
export class MediaEnd {
  #audioMs = 0;
  #videoMs = 0;
  #lastVideoMs: number | undefined;

  get ms(): number {
    return Math.max(this.#audioMs, this.#videoMs);
  }

  add({ kind, timestampMs, data }: Pick<Block, 'kind' | 'timestampMs' | 'data'>): void {
    if (kind === 'audio') {
      this.#audioMs = timestampMs + opusDurationMs(data);
      return;
    }
    const sinceLast = timestampMs - (this.#lastVideoMs ?? timestampMs);
    this.#lastVideoMs = timestampMs;
    this.#videoMs = timestampMs + Math.min(LONGEST_LAST_FRAME_MS, sinceLast);
  }
}

import type { TrackKind } from '../../media/engine/media-track.js';
import type { TappedFrame } from '../../media/engine/tap.js';

/** Sound and video arrive on separate ways. A frame waits this long for an earlier one of the other kind. */
export const HOLD_MS = 250;

interface Waiting {
  readonly frame: TappedFrame;
  readonly since: number;
}

/** Puts the frames of two tracks in the order of their timestamps. A track that sends nothing holds nothing up. */
export class Interleaver {
  readonly #waiting: Readonly<Record<TrackKind, Waiting[]>> = { audio: [], video: [] };

  push(frame: TappedFrame, now: number): void {
    this.#waiting[frame.kind].push({ frame, since: now });
  }

  /** The next frame that no earlier one can follow, or that waited long enough. */
  take(now: number): TappedFrame | undefined {
    const [audio] = this.#waiting.audio;
    const [video] = this.#waiting.video;
    const first = !audio || (video && video.frame.timestampMs <= audio.frame.timestampMs) ? video : audio;
    if (!first || (!(audio && video) && now - first.since < HOLD_MS)) return undefined;
    return this.#waiting[first.frame.kind].shift()!.frame;
  }

  /** All frames that still wait, in order. */
  drain(): readonly TappedFrame[] {
    const frames: TappedFrame[] = [];
    for (let frame = this.take(Infinity); frame; frame = this.take(Infinity)) frames.push(frame);
    return frames;
  }
}

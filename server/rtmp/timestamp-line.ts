/** More than this forward is a jump, in ms: an encoder that was paused, or whose clock was set. */
export const MAX_STEP_MS = 5_000;
/** Less than this backward is disorder, in ms. More is a jump. */
export const MAX_DISORDER_MS = 1_000;
/** The step over a jump, until a track has shown its own: one frame at 30/s. */
const FIRST_STEP_MS = 33;

interface Track {
  last: number;
  step: number;
}

/** Timestamps without wraps: of a 32-bit timestamp the one that is nearest to the last. */
export class TimestampUnwrapper {
  #last: number | undefined;

  /** @param timestamp in ms, modulo 2^32 */
  unwrap(timestamp: number): number {
    this.#last = this.#last === undefined ? timestamp : this.#last + ((timestamp - this.#last) | 0);
    return this.#last;
  }
}

/**
 * Makes the timestamps of all tracks of one encoder one line that never goes back:
 *
 * - A step of 0 to 5 s is kept.
 * - Up to 1 s backward becomes the last timestamp of the track.
 * - Everything else is a jump: the track continues one usual step after its last timestamp, and all tracks move with it.
 */
export class TimestampLine {
  readonly #tracks = new Map<string, Track>();
  #offset = 0;

  /** @param timestamp in ms, without wraps */
  place(track: string, timestamp: number): number {
    const known = this.#tracks.get(track);
    if (!known) {
      this.#tracks.set(track, { last: timestamp + this.#offset, step: FIRST_STEP_MS });
      return timestamp + this.#offset;
    }
    let step = timestamp + this.#offset - known.last;
    if (step > MAX_STEP_MS || step < -MAX_DISORDER_MS) {
      this.#offset = known.last + known.step - timestamp;
      step = known.step;
    } else if (step < 0) {
      step = 0;
    } else if (step > 0) {
      known.step = step;
    }
    known.last += step;
    return known.last;
  }
}

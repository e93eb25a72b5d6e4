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
 * Makes the timestamps of all tracks of one encoder one line that never goes back on a track. All tracks have one clock:
 *
 * - Up to 5 s ahead of the newest timestamp of all tracks is kept. So a track may pause while another goes on.
 * - Up to 1 s backward becomes the last timestamp of the track.
 * - Everything else is a jump of the clock: the track continues one usual step after its last timestamp, and all tracks
 *   move with it.
 */
export class TimestampLine {
  readonly #tracks = new Map<string, Track>();
  #newest: number | undefined;
  #offset = 0;

  /** @param timestamp in ms, without wraps */
  place(name: string, timestamp: number): number {
    const newest = (this.#newest ??= timestamp);
    const known = this.#tracks.get(name);
    const track = known ?? { last: -Infinity, step: FIRST_STEP_MS };
    const { last, step } = track;
    let time = timestamp + this.#offset;
    if (time > newest + MAX_STEP_MS || time < last - MAX_DISORDER_MS) {
      // A track that paused while others went on continues beside them.
      time = (newest - last > MAX_STEP_MS ? newest : last) + step;
      this.#offset = time - timestamp;
    }
    track.last = Math.max(time, last);
    const made = track.last - last;
    if (made > 0 && made <= MAX_STEP_MS) track.step = made;
    this.#newest = Math.max(newest, track.last);
    if (!known) this.#tracks.set(name, track);
    return track.last;
  }
}

/** How far back what comes late still finds its number. A power of two. */
const REMEMBERED = 1024;
const MASK = REMEMBERED - 1;
/**
 * Of a source that skips more than this, one number is missing and not all of them. SRTP infers the upper bits of a
 * sequence number from the one before: after a step of 2^15 or more, libsrtp sends none of the packets that follow.
 */
const MOST_SKIPPED = REMEMBERED;

/**
 * Numbers without a gap for what a receiver is sent, whatever the source calls it: they go on where they were when
 * another source takes over, and close up over what is left out. What was lost on its way here keeps its place, unless
 * that is more than a receiver could make use of.
 *
 * Source numbers are extended: they never wrap. So are those given out; they are to be cut to the field's width.
 */
export class SequenceRewriter {
  /** The next one to give when another source begins; undefined: its own. */
  #next: number | undefined;
  #top = 0;
  #offset = 0;
  /** For each of the last source numbers what was added to it. Absent as long as that was the same for all. */
  #offsets: Float64Array | undefined;
  #leastKnown = 0;

  /** The highest given out. Undefined: none was. */
  get newest(): number | undefined {
    return this.#next === undefined ? undefined : this.#next - 1;
  }

  /** A source takes over, and `first` is the first of it that counts. */
  startSource(first: number): void {
    this.#offset = this.#next === undefined ? 0 : this.#next - first;
    this.#top = this.#leastKnown = first - 1;
    this.#offsets = undefined;
  }

  /** The number for `source`; undefined: it is older than what began, or than we remember. */
  rewrite(source: number): number | undefined {
    if (source - this.#top > MOST_SKIPPED) this.#skipTo(source);
    if (source > this.#top) {
      this.#advance(source);
      this.#next = source + this.#offset + 1;
      return source + this.#offset;
    }
    return this.#knows(source) ? source + this.#offsetOf(source) : undefined;
  }

  /** `source` is not sent: what follows moves up. False: too late, its number can be no other's any more. */
  drop(source: number): boolean {
    if (source <= this.#top) return false;
    if (source - this.#top > MOST_SKIPPED) this.#skipTo(source);
    this.#offsets ??= new Float64Array(REMEMBERED).fill(this.#offset);
    this.#advance(source);
    this.#offset--;
    this.#offsets[source & MASK] = this.#offset;
    return true;
  }

  /** What of the source got this number, as long as it is remembered. */
  originalOf(given: number): number | undefined {
    if (!this.#offsets) {
      const source = given - this.#offset;
      return source <= this.#top && this.#knows(source) ? source : undefined;
    }
    // Given numbers never fall as the source's rise, and what was left out shares that of the one before it.
    let low = Math.max(this.#leastKnown + 1, this.#top - REMEMBERED + 1);
    let high = this.#top;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (middle + this.#offsetOf(middle) >= given) high = middle;
      else low = middle + 1;
    }
    return low <= this.#top && low + this.#offsetOf(low) === given ? low : undefined;
  }

  /** The receiver misses one packet, asks for it in vain, and then for a keyframe. */
  #skipTo(source: number): void {
    if (this.#next !== undefined) this.#next++;
    this.startSource(source);
  }

  #advance(source: number): void {
    const offsets = this.#offsets;
    if (offsets) {
      const from = Math.max(this.#top + 1, source - MASK);
      for (let number = from; number <= source; number++) offsets[number & MASK] = this.#offset;
    }
    this.#top = source;
  }

  #knows(source: number): boolean {
    return source > this.#leastKnown && source > this.#top - REMEMBERED;
  }

  #offsetOf(source: number): number {
    return this.#offsets ? this.#offsets[source & MASK]! : this.#offset;
  }
}

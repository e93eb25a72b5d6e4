const WINDOW_MS = 30_000;
/** Fewer are not worth the wait. */
const FEWEST = 3;
/** What comes late by so little, a player's own buffer catches. */
const SHORT_MS = 40;
const LONGEST_MS = 1_000;
const MARGIN_MS = 40;

/**
 * How long a player should hold pictures back so that what was lost and is sent again comes before its turn. A player
 * that only receives does not know how long the way is, and without being told it stops at every loss.
 *
 *     hold.note(lateness, now);        // each packet that came, or will come, only when it was sent again
 *     extensions.holdBack(hold.at(now));
 */
export class PlayoutDelayEstimator {
  #longest = 0;
  #times = 0;
  #since = -Infinity;
  #longestBefore = 0;

  /** @param lateness in ms, from when it was missed */
  onLatePacket(lateness: number, now: number): void {
    this.#turn(now);
    this.#times++;
    this.#longest = Math.max(this.#longest, lateness);
  }

  /** In ms; 0 when hardly anything is lost, or what is comes soon. Falls when that has been so for a while. */
  at(now: number): number {
    this.#turn(now);
    const longest = Math.max(this.#longestBefore, this.#current());
    return longest < SHORT_MS ? 0 : Math.min(LONGEST_MS, Math.round(longest + MARGIN_MS));
  }

  #current(): number {
    return this.#times < FEWEST ? 0 : this.#longest;
  }

  #turn(now: number): void {
    const elapsed = now - this.#since;
    if (elapsed < WINDOW_MS) return;
    this.#longestBefore = elapsed < 2 * WINDOW_MS ? this.#current() : 0;
    this.#longest = this.#times = 0;
    this.#since = now;
  }
}

/** A step counts if the bitrate fell below this part of the one before. */
const MAX_BITRATE_PART = 0.92;
/** A symptom persists if more than this part of it remains. */
const MIN_REMAINING_PART = 0.75;

/**
 * Detects that sending less does not help. A longer path, or a radio link that loses packets, looks like congestion,
 * but its delay or loss stays the same at any bitrate. So does a queue that TCP fills, which is what the adaptive
 * threshold of draft-ietf-rmcat-gcc-02 section 5.4 is for.
 */
export class BackoffEffect {
  #before: { readonly bitrate: number | undefined; readonly symptom: number } | undefined;
  #ineffectiveSteps = 0;
  readonly #maxSteps: number;

  /** @param maxSteps ineffective steps in a row before backing off is given up */
  constructor(maxSteps: number) {
    this.#maxSteps = maxSteps;
  }

  /**
   * The bitrate is being reduced because of a symptom: queueing delay or loss.
   * @param bitrate undefined: so little is sent that no less can be
   */
  onBackoff(bitrate: number | undefined, symptom: number): void {
    this.#before = { bitrate, symptom };
  }

  /** Call when the symptom shows again. @returns true if the last steps did not reduce it */
  isIneffective(bitrate: number | undefined, symptom: number): boolean {
    const before = this.#before;
    const isLess = bitrate === undefined || bitrate < (before?.bitrate ?? Infinity) * MAX_BITRATE_PART;
    if (before && isLess && symptom > before.symptom * MIN_REMAINING_PART) this.#ineffectiveSteps++;
    if (this.#ineffectiveSteps < this.#maxSteps) return false;
    this.reset();
    return true;
  }

  /** The symptom is gone. */
  reset(): void {
    this.#before = undefined;
    this.#ineffectiveSteps = 0;
  }
}

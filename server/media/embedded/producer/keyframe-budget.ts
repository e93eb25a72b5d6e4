/** The part of an encoding's bitrate that requested keyframes may take. */
const MAX_SHARE = 0.15;
/** Even where keyframes cost little: encoder and decoder work harder at each. */
const MIN_INTERVAL_MS = 1_000;
/** Viewers who join wait no longer than this, whatever a keyframe costs. */
const MAX_INTERVAL_MS = 3_000;
/** Until size and bitrate are known. */
const UNKNOWN_INTERVAL_MS = 2_000;
/** Of a new measurement in the smoothed bitrate: a keyframe makes the bitrate of its second high. */
const SMOOTHING = 0.25;

/**
 * How often keyframes of one encoding may be requested, by what they cost. One more than the steady rate is allowed
 * after a pause: a viewer who connects slowly has a keyframe requested before, and another when it is connected.
 */
export class KeyframeBudget {
  #bitrate: number | undefined;
  /** Of the newest keyframe, as far as it arrived. */
  #keyframeBytes = 0;
  /** When all keyframes but the newest are paid. */
  #paidAt = -Infinity;

  /** How long a keyframe takes to be paid, in ms. */
  get intervalMs(): number {
    if (!this.#bitrate || !this.#keyframeBytes) return UNKNOWN_INTERVAL_MS;
    const interval = (8_000 * this.#keyframeBytes) / (MAX_SHARE * this.#bitrate);
    return Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, interval));
  }

  /** A keyframe begins to arrive, requested or not. */
  onKeyframe(now: number): void {
    const paidAt = this.#paidAt + this.intervalMs;
    // An encoder that sends many by itself does not delay the requests after it changes its mind.
    this.#paidAt = Math.min(Math.max(now, paidAt), now + MAX_INTERVAL_MS);
    this.#keyframeBytes = 0;
  }

  /** A packet of the newest keyframe arrived. */
  addKeyframeBytes(bytes: number): void {
    this.#keyframeBytes += bytes;
  }

  /** @param bitrate of the last second, in bit/s */
  onMeasured(bitrate: number): void {
    if (bitrate <= 0) return;
    this.#bitrate = this.#bitrate === undefined ? bitrate : this.#bitrate + SMOOTHING * (bitrate - this.#bitrate);
  }

  /** @param isPatient allowed only when everything is paid, so that those who cannot wait come first */
  allows(isPatient: boolean, now: number): boolean {
    return now >= this.#paidAt + (isPatient ? this.intervalMs : 0);
  }
}

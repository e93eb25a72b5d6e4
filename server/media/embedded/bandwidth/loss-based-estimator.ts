import { BackoffEffect } from './backoff-effect.js';

/** Loss above this, in addition to the path's usual loss, is congestion. Radio links lose some per cent at any rate. */
export const MAX_NORMAL_LOSS = 0.1;
/** A share of fewer packets, or of less time, is too imprecise. */
const MIN_PACKETS = 60;
const MIN_INTERVAL_MS = 500;
/** A radio link loses packets at any bitrate: give up soon. */
const MAX_INEFFECTIVE_STEPS = 2;

/**
 * Measures the share of lost packets, and distinguishes congestion from the path's usual loss. A loss of more than a tenth
 * lowers the bitrate as in draft-ietf-rmcat-gcc-02 section 6.
 */
export class LossBasedEstimator {
  /** Since the last share was returned. */
  #packets = 0;
  #lost = 0;
  #since = -Infinity;
  #previousShare = 0;
  /** The share that is lost at any bitrate. */
  #usualLoss = 0;
  readonly #backoff = new BackoffEffect(MAX_INEFFECTIVE_STEPS);

  /** Counts reported packets. @returns the share that was lost, 0 to 1, when there are enough packets */
  addPackets(packets: number, lost: number, now: number): number | undefined {
    this.#packets += packets;
    this.#lost += lost;
    if (this.#packets < MIN_PACKETS || now - this.#since < MIN_INTERVAL_MS) return undefined;
    const share = this.#lost / this.#packets;
    this.#packets = this.#lost = 0;
    this.#since = now;
    return share;
  }

  /**
   * Whether the loss is congestion.
   * @param share of recent packets that was lost, 0 to 1
   * @param sentBitrate of these packets, bit/s
   * @returns the loss to back off for; undefined: no congestion
   */
  congestion(share: number, sentBitrate: number): number | undefined {
    const loss = (share + this.#previousShare) / 2;
    this.#previousShare = share;
    this.#usualLoss = Math.min(this.#usualLoss, loss);
    if (loss - this.#usualLoss <= MAX_NORMAL_LOSS) {
      this.#backoff.reset();
      return undefined;
    }
    if (this.#backoff.isIneffective(sentBitrate, loss)) {
      this.#usualLoss = loss;
      return undefined;
    }
    this.#backoff.onBackoff(sentBitrate, loss);
    return loss;
  }
}

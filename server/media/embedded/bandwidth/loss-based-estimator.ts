import { BackoffEffect } from './backoff-effect.js';

/** Loss above this, over what the path loses anyway, is congestion. Radio loses some per cent of whatever is sent. */
export const MAX_NORMAL_LOSS = 0.1;
/** Of fewer packets, or in less time, one more or less means nothing. */
const FEWEST_PACKETS = 60;
const SHORTEST_MS = 500;

/** How much of what is sent a path loses, and whether that is because too much is sent. */
export class LossBasedEstimator {
  /** Since the last share that was told. */
  #packets = 0;
  #lost = 0;
  #since = -Infinity;
  #shareBefore = 0;
  /** Whatever is sent. */
  #usual = 0;
  readonly #steps = new BackoffEffect();

  /** Packets that were reported on. Answers which share of them was lost, 0 to 1, once they are enough to tell. */
  addPackets(packets: number, lost: number, now: number): number | undefined {
    this.#packets += packets;
    this.#lost += lost;
    if (this.#packets < FEWEST_PACKETS || now - this.#since < SHORTEST_MS) return undefined;
    const share = this.#lost / this.#packets;
    this.#packets = this.#lost = 0;
    this.#since = now;
    return share;
  }

  /**
   * Whether to send less because of what was lost: the share that is to be answered, if so.
   * @param share of what was sent lately, 0 to 1
   * @param sentBitrate at which that was, bit/s
   */
  congestion(share: number, sentBitrate: number): number | undefined {
    const loss = (share + this.#shareBefore) / 2;
    this.#shareBefore = share;
    this.#usual = Math.min(this.#usual, loss);
    if (loss - this.#usual <= MAX_NORMAL_LOSS) {
      this.#steps.reset();
      return undefined;
    }
    if (this.#steps.isIneffective(sentBitrate, loss)) {
      this.#usual = loss;
      return undefined;
    }
    this.#steps.onBackoff(sentBitrate, loss);
    return loss;
  }
}

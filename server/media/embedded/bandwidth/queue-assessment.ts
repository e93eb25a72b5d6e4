import { BackoffEffect } from './backoff-effect.js';
import type { DelayEstimate } from './delay-based-estimator.js';

/** A queue of more ms is congestion unless it shrinks; a queue of less than half of it is none. */
const MAX_QUEUE_MS = 25;
/** On slow links it is the time of a packet of so many bits: the delays of small and large packets differ by as much. */
const LARGE_PACKET_BITS = 9_600;
/** A shorter queue counts when it is seen twice: the receiver or the sender may have been busy once. */
const CERTAIN_QUEUE_MS = 100;
/**
 * If so many reductions do not shorten the queue, others fill it: TCP. With fewer, viewers on one link would take each
 * other's packets for that, and keep its queue full together.
 */
const MAX_INEFFECTIVE_STEPS = 4;

/**
 * What a queue means. `none`: more can be sent. `short`: as much can be sent. `unclear`: it shrinks, or was seen once.
 * `congestion`: less must be sent. `of others`: sending less did not shorten it.
 */
export type QueueMeaning = 'none' | 'short' | 'unclear' | 'congestion' | 'of others';

export interface SentNow {
  /** What the path is believed to carry, bit/s. */
  readonly estimate: number;
  /** What is sent, bit/s. Undefined: so little that no less can be. */
  readonly reducible: number | undefined;
}

/** Decides whether a queueing delay is congestion that sending less ends. */
export class QueueAssessment {
  #isSeen = false;
  readonly #backoff = new BackoffEffect(MAX_INEFFECTIVE_STEPS);

  /** Call for each estimate; after `congestion`, less must be sent. */
  assess({ queue, shrinking }: Pick<DelayEstimate, 'queue' | 'shrinking'>, sent: SentNow): QueueMeaning {
    const most = Math.max(MAX_QUEUE_MS, (1_000 * LARGE_PACKET_BITS) / sent.estimate);
    if (queue < most / 2) {
      this.#backoff.reset();
      this.#isSeen = false;
      return 'none';
    }
    if (queue <= most) return 'short';
    if (shrinking) return 'unclear';
    const isCertain = this.#isSeen || queue > CERTAIN_QUEUE_MS;
    this.#isSeen = true;
    if (!isCertain) return 'unclear';
    if (this.#backoff.isIneffective(sent.reducible, queue)) return 'of others';
    this.#backoff.onBackoff(sent.reducible, queue);
    return 'congestion';
  }
}

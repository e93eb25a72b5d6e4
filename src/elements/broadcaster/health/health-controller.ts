import type { ReactiveControllerHost } from 'lit';
import { StatsController, type StatsSource } from '../../stats/stats-controller.js';
import { healthBetween, readSentSample, type Health, type SentSample, type Verdict } from './health.js';

/** Encoders start with a small picture, so a verdict counts only after it is the same for this many seconds. */
const STABLE_AFTER = 4;

/** Measures the health of a broadcast once a second while it is live. */
export class HealthController extends StatsController<SentSample, Health> {
  /** Number of repetitions of the last verdict. */
  #repeats = 0;

  /** The last stable verdict. */
  verdict: Verdict = 'good';

  constructor(host: ReactiveControllerHost, source: StatsSource) {
    super(host, source, readSentSample, healthBetween);
  }

  override hostDisconnected(): void {
    super.hostDisconnected();
    this.verdict = 'good';
    this.#repeats = 0;
  }

  protected override measured(before: Health | undefined): void {
    const { current } = this;
    this.#repeats = current && current.verdict === before?.verdict ? this.#repeats + 1 : 0;
    if (current && this.#repeats + 1 >= STABLE_AFTER) this.verdict = current.verdict;
  }
}

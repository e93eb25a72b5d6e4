import type { ReactiveControllerHost } from 'lit';
import { StatsController, type StatsSource } from '../../stats/stats-controller.js';
import { healthBetween, readSentSample, type Health, type SentSample, type Verdict } from './health.js';

/** Encoders start with a small picture that grows, so a verdict counts only after this many seconds. */
const STABLE_AFTER = 4;

/** Measures the health of a broadcast once a second while it is live. */
export class HealthController extends StatsController<SentSample, Health> {
  /** How many measurements in a row had the same verdict, after the first of them. */
  #repeats = 0;

  /** The last verdict that was stable. */
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

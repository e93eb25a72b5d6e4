import type { ReactiveControllerHost } from 'lit';
import { StatsController, type StatsSource } from '../../stats/stats-controller.js';
import { healthBetween, readSentSample, type Health, type SentSample, type Verdict } from './health.js';

/** Encoders begin small and grow: what is over in a moment is nothing to tell. */
const HOLDS_FOR = 4;

/** Measures how a broadcast goes, for as long as there is one. */
export class HealthController extends StatsController<SentSample, Health> {
  #same = 0;

  /** What it comes to, once that has held for a while. */
  verdict: Verdict = 'good';

  constructor(host: ReactiveControllerHost, source: StatsSource) {
    super(host, source, readSentSample, healthBetween);
  }

  override hostDisconnected(): void {
    super.hostDisconnected();
    this.verdict = 'good';
    this.#same = 0;
  }

  protected override measured(before: Health | undefined): void {
    const { current } = this;
    this.#same = current && current.verdict === before?.verdict ? this.#same + 1 : 0;
    if (current && this.#same + 1 >= HOLDS_FOR) this.verdict = current.verdict;
  }
}

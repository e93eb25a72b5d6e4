import type { ReactiveControllerHost } from 'lit';
import { StatsController, type StatsSource } from '../../stats/stats-controller.js';
import { healthBetween, readSentSample, type Health, type SentSample } from './health.js';
import { afterSecond, NOTHING_TOLD, type ToldHealth } from './told-health.js';

/** Measures the health of a broadcast once a second while it is live. */
export class HealthController extends StatsController<SentSample, Health> {
  told: ToldHealth = NOTHING_TOLD;
  readonly #isServerOverloaded: () => boolean;

  constructor(host: ReactiveControllerHost, source: StatsSource, isServerOverloaded: () => boolean) {
    super(host, source, readSentSample, healthBetween);
    this.#isServerOverloaded = isServerOverloaded;
  }

  override hostDisconnected(): void {
    super.hostDisconnected();
    this.told = NOTHING_TOLD;
  }

  protected override measured(): void {
    this.told = this.current ? afterSecond(this.told, this.current, this.#isServerOverloaded()) : NOTHING_TOLD;
  }
}

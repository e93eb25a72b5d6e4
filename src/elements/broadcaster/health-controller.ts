import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { healthBetween, readSent, type Health, type SentSample, type Verdict } from './health.js';

const EVERY_MS = 1_000;
/** Encoders begin small and grow: what is over in a moment is nothing to tell. */
const HOLDS_FOR = 4;

/** Measures how a broadcast goes, for as long as there is one. */
export class HealthController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #getStats: () => Promise<RTCStatsReport | undefined>;
  readonly #isWanted: () => boolean;
  #timer: ReturnType<typeof setInterval> | undefined;
  #before: SentSample | undefined;
  #same = 0;

  /** What goes out now. */
  current: Health | undefined;
  /** What it comes to, once that has held for a while. */
  verdict: Verdict = 'good';

  constructor(
    host: ReactiveControllerHost,
    getStats: () => Promise<RTCStatsReport | undefined>,
    isWanted: () => boolean,
  ) {
    this.#host = host;
    this.#getStats = getStats;
    this.#isWanted = isWanted;
    host.addController(this);
  }

  hostUpdated(): void {
    if (!this.#isWanted()) this.hostDisconnected();
    else this.#timer ??= setInterval(this.#measure, EVERY_MS);
  }

  hostDisconnected(): void {
    clearInterval(this.#timer);
    this.#timer = this.#before = this.current = undefined;
    this.verdict = 'good';
    this.#same = 0;
  }

  #measure = async (): Promise<void> => {
    const report = await this.#getStats().catch(() => undefined);
    const sample = report && readSent(report);
    if (!this.#timer) return;
    const last = this.current;
    this.current = sample && this.#before && healthBetween(this.#before, sample);
    this.#before = sample;
    this.#same = this.current && this.current.verdict === last?.verdict ? this.#same + 1 : 0;
    if (this.current && this.#same + 1 >= HOLDS_FOR) this.verdict = this.current.verdict;
    this.#host.requestUpdate();
  };
}

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { figuresBetween, readSample, type Figures, type Sample } from './figures.js';

const EVERY_MS = 1_000;

/** Measures what comes in, as long as somebody wants to know. */
export class FiguresController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #getStats: () => Promise<RTCStatsReport | undefined>;
  readonly #isWanted: () => boolean;
  #timer: ReturnType<typeof setInterval> | undefined;
  #before: Sample | undefined;
  current: Figures | undefined;

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
    else if (!this.#timer) {
      this.#timer = setInterval(this.#measure, EVERY_MS);
      void this.#measure();
    }
  }

  hostDisconnected(): void {
    clearInterval(this.#timer);
    this.#timer = this.#before = this.current = undefined;
  }

  #measure = async (): Promise<void> => {
    const report = await this.#getStats().catch(() => undefined);
    const sample = report && readSample(report);
    if (!this.#timer) return;
    this.current = sample && this.#before && figuresBetween(this.#before, sample);
    this.#before = sample;
    this.#host.requestUpdate();
  };
}

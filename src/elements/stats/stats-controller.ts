import type { ReactiveController, ReactiveControllerHost } from 'lit';

const EVERY_MS = 1_000;

export interface StatsSource {
  /** Of the connection (W3C webrtc-stats); undefined: there is none. */
  readonly getStats: () => Promise<RTCStatsReport | undefined>;
  /** Whether somebody wants to know. */
  readonly isWanted: () => boolean;
}

/** Measures every second how a connection goes, as long as that is wanted: a figure is what lies between two samples. */
export class StatsController<Sample, Figures> implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #source: StatsSource;
  readonly #read: (report: RTCStatsReport) => Sample | undefined;
  readonly #between: (before: Sample, after: Sample) => Figures;
  #timer: ReturnType<typeof setInterval> | undefined;
  #before: Sample | undefined;
  current: Figures | undefined;

  constructor(
    host: ReactiveControllerHost,
    source: StatsSource,
    read: (report: RTCStatsReport) => Sample | undefined,
    between: (before: Sample, after: Sample) => Figures,
  ) {
    this.#host = host;
    this.#source = source;
    this.#read = read;
    this.#between = between;
    host.addController(this);
  }

  hostUpdated(): void {
    if (!this.#source.isWanted()) this.hostDisconnected();
    else if (!this.#timer) {
      this.#timer = setInterval(this.#measure, EVERY_MS);
      void this.#measure();
    }
  }

  hostDisconnected(): void {
    clearInterval(this.#timer);
    this.#timer = this.#before = this.current = undefined;
  }

  /** `current` is another. */
  protected measured(_before: Figures | undefined): void {}

  #measure = async (): Promise<void> => {
    const report = await this.#source.getStats().catch(() => undefined);
    const sample = report && this.#read(report);
    if (!this.#timer) return;
    const before = this.current;
    this.current = sample && this.#before && this.#between(this.#before, sample);
    this.#before = sample;
    this.measured(before);
    this.#host.requestUpdate();
  };
}

import type { ReactiveController, ReactiveControllerHost } from 'lit';

const INTERVAL_MS = 1_000;

export interface StatsSource {
  /** The statistics of the connection (W3C webrtc-stats). Undefined: there is no connection. */
  readonly getStats: () => Promise<RTCStatsReport | undefined>;
  /** Whether the statistics are needed now. */
  readonly isWanted: () => boolean;
}

/** Reads the statistics of a connection every second while they are needed. Results come from two samples. */
export class StatsController<Sample, Result> implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #source: StatsSource;
  readonly #read: (report: RTCStatsReport) => Sample | undefined;
  readonly #between: (before: Sample, after: Sample) => Result;
  #timer: ReturnType<typeof setInterval> | undefined;
  #before: Sample | undefined;
  current: Result | undefined;

  constructor(
    host: ReactiveControllerHost,
    source: StatsSource,
    read: (report: RTCStatsReport) => Sample | undefined,
    between: (before: Sample, after: Sample) => Result,
  ) {
    this.#host = host;
    this.#source = source;
    this.#read = read;
    this.#between = between;
    host.addController(this);
  }

  /** Before the update is rendered: one that shows the end of a connection must show no statistics of it. */
  hostUpdate(): void {
    if (!this.#source.isWanted()) this.hostDisconnected();
    else if (!this.#timer) {
      this.#timer = setInterval(this.#measure, INTERVAL_MS);
      void this.#measure();
    }
  }

  hostDisconnected(): void {
    clearInterval(this.#timer);
    this.#timer = this.#before = this.current = undefined;
  }

  /** Called after `current` has changed. */
  protected measured(_before: Result | undefined): void {}

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

import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * Adds metrics of one part of the server to a registry. What it counts it learns by events; what it reads, it reads in
 * `collect` when the metrics are asked for. Labels have few values, all known beforehand: never a name, a token or an
 * address.
 */
export type MetricsPart = (registry: Registry) => void;

/** The limits of the classes of durations that are usually below a second. */
export const FAST_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The metrics of this server, in the text format of Prometheus. */
export class Metrics {
  readonly #registry = new Registry();

  constructor(parts: readonly MetricsPart[]) {
    // Of the server process: CPU, memory, event loop. Those of media processes come with their figures.
    collectDefaultMetrics({ register: this.#registry });
    for (const part of parts) part(this.#registry);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

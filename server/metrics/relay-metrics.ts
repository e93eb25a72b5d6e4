import { Counter, Gauge } from 'prom-client';
import type { MetricsPart } from './metrics.js';

export interface RelayFigures {
  /** Streams that are received from other servers. */
  readonly received: number;
  /** Relays that are sent to other servers. */
  readonly sent: number;
  /** How often a stream could not be received, since the start. */
  readonly givenUp: number;
}

/** Of a server on PostgreSQL. */
export function relayMetrics(figures: () => RelayFigures): MetricsPart {
  return (registry) => {
    registry.registerMetric(
      new Gauge({
        name: 'streamgate_relays',
        help: 'Streams that this server receives from other servers, and relays that it sends them',
        labelNames: ['direction'],
        registers: [],
        collect() {
          const { received, sent } = figures();
          this.set({ direction: 'received' }, received);
          this.set({ direction: 'sent' }, sent);
        },
      }),
    );
    registry.registerMetric(
      new Counter({
        name: 'streamgate_relays_given_up_total',
        help: 'Streams that could not be received from the server that has them, so that viewers went there',
        registers: [],
        collect() {
          this.reset();
          this.inc(figures().givenUp);
        },
      }),
    );
  };
}

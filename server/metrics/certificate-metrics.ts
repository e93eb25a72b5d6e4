import { Gauge } from 'prom-client';
import type { MetricsPart } from './metrics.js';

/** @param expiresOn of the certificate that the server has, in milliseconds since 1970 */
export function certificateMetrics(expiresOn: () => number): MetricsPart {
  return (registry) => {
    registry.registerMetric(
      new Gauge({
        name: 'streamgate_certificate_expires_timestamp_seconds',
        help: 'When the TLS certificate of the server expires, in seconds since 1970. Absent if it has none',
        registers: [],
        collect() {
          this.set(expiresOn() / 1_000);
        },
      }),
    );
  };
}

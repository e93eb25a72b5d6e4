import { Gauge } from 'prom-client';
import { healthProblemCode, healthWarningCode } from '../../src/wire/management/health.js';
import type { MetricsPart } from './metrics.js';

type Found = readonly { readonly code: string }[];

/** @param health what `/readyz` reports */
export function healthMetrics(health: () => { readonly problems: Found; readonly warnings: Found }): MetricsPart {
  return (registry) => {
    registry.registerMetric(
      new Gauge({
        name: 'streamgate_problems',
        help: 'Problems that /readyz reports, by their code',
        labelNames: ['code'],
        registers: [],
        collect() {
          for (const code of healthProblemCode.options) this.set({ code }, 0);
          for (const { code } of health().problems) this.inc({ code });
        },
      }),
    );
    registry.registerMetric(
      new Gauge({
        name: 'streamgate_warnings',
        help: 'Warnings that /readyz reports, by their code',
        labelNames: ['code'],
        registers: [],
        collect() {
          for (const code of healthWarningCode.options) this.set({ code }, 0);
          for (const { code } of health().warnings) this.inc({ code });
        },
      }),
    );
  };
}

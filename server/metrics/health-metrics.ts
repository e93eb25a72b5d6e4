import { Gauge } from 'prom-client';
import { healthProblemCode } from '../../src/wire/management/health.js';
import type { MetricsPart } from './metrics.js';

/** @param problems those that `/readyz` reports */
export function healthMetrics(problems: () => readonly { readonly code: string }[]): MetricsPart {
  return (registry) => {
    registry.registerMetric(
      new Gauge({
        name: 'streamgate_problems',
        help: 'Problems that /readyz reports, by their code',
        labelNames: ['code'],
        registers: [],
        collect() {
          for (const code of healthProblemCode.options) this.set({ code }, 0);
          for (const { code } of problems()) this.inc({ code });
        },
      }),
    );
  };
}

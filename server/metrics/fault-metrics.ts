import { Counter } from 'prom-client';
import type { ContainedFaults } from '../faults/contained-faults.js';
import { FAULT_PARTS } from '../faults/fault.js';
import type { MetricsPart } from './metrics.js';

export function faultMetrics(faults: Pick<ContainedFaults, 'countOf'>): MetricsPart {
  return (registry) => {
    registry.registerMetric(
      new Counter({
        name: 'streamgate_contained_faults_total',
        help: 'Faults that cost one message, session or stream and nothing else, by the part that had them',
        labelNames: ['part'],
        registers: [],
        collect() {
          this.reset();
          for (const part of FAULT_PARTS) this.inc({ part }, faults.countOf(part));
        },
      }),
    );
  };
}

import { Gauge } from 'prom-client';
import { SERVER_VERSION } from '../server-version.js';
import type { MetricsPart } from './metrics.js';

export const versionMetrics: MetricsPart = (registry) => {
  const version = new Gauge({
    name: 'streamgate_build_info',
    help: 'Always 1; the label has the version of the server',
    labelNames: ['version'],
    registers: [],
  });
  version.set({ version: SERVER_VERSION }, 1);
  registry.registerMetric(version);
};

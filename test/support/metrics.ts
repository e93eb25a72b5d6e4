import { EventEmitter } from 'node:events';
import { Registry } from 'prom-client';
import type { ClusterLeasesEvents } from '../../server/cluster/cluster-leases.js';
import { admissionMetrics, Decisions } from '../../server/metrics/admission-metrics.js';
import { certificateMetrics } from '../../server/metrics/certificate-metrics.js';
import { databaseMetrics } from '../../server/metrics/database-metrics.js';
import { faultMetrics } from '../../server/metrics/fault-metrics.js';
import { healthMetrics } from '../../server/metrics/health-metrics.js';
import { leaseMetrics } from '../../server/metrics/lease-metrics.js';
import { mediaMetrics } from '../../server/metrics/media-metrics.js';
import { recordingMetrics } from '../../server/metrics/recording-metrics.js';
import { relayMetrics } from '../../server/metrics/relay-metrics.js';
import { firstPictureMetrics, sessionMetrics, waitingGuestsMetrics } from '../../server/metrics/session-metrics.js';
import { versionMetrics } from '../../server/metrics/version-metrics.js';
import { WebhookEvents, webhookMetrics } from '../../server/metrics/webhook-metrics.js';
import { RowFaults } from '../../server/store/rows/row-faults.js';
import { DatabaseMonitor } from '../../server/store/availability/database-monitor.js';

/** All metrics of a server on PostgreSQL, without values. */
export function allMetrics(): Registry {
  const registry = new Registry();
  const parts = [
    mediaMetrics({}),
    admissionMetrics(new Decisions()),
    sessionMetrics(new EventEmitter(), () => 0),
    firstPictureMetrics(new EventEmitter()),
    waitingGuestsMetrics({ size: 0, displaced: 0 }),
    databaseMetrics(new DatabaseMonitor(), new RowFaults()),
    webhookMetrics({
      events: new WebhookEvents(),
      outbox: { waiting: 0 },
      deliveries: { backlog: async () => ({ waiting: 0, oldestOn: null }) },
      now: () => 0,
    }),
    leaseMetrics(new EventEmitter(), Object.assign(new EventEmitter<ClusterLeasesEvents>(), { held: () => [] })),
    healthMetrics(() => ({ problems: [], warnings: [] })),
    faultMetrics({ countOf: () => 0 }),
    recordingMetrics(new EventEmitter(), () => ({ active: 0, freeBytes: 0, near: 0, full: 0 })),
    relayMetrics(() => ({ received: 0, sent: 0, givenUp: 0 })),
    certificateMetrics(() => 0),
    versionMetrics,
  ];
  for (const part of parts) part(registry);
  return registry;
}

/** The values of a text of Prometheus, by name and labels. */
export const valuesIn = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^([^#\s]\S*) (\S+)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, Number(value)] as const];
    }),
  );

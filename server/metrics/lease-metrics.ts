import type { EventEmitter } from 'node:events';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { ClusterLeasesEvents } from '../cluster/cluster-leases.js';
import type { ClusterNodeEvents } from '../cluster/cluster-node.js';
import { FAST_SECONDS, type MetricsPart } from './metrics.js';

/** Of a server on PostgreSQL, which other servers can use too. */
export function leaseMetrics(
  node: EventEmitter<ClusterNodeEvents>,
  leases: EventEmitter<ClusterLeasesEvents> & { held(): readonly unknown[] },
): MetricsPart {
  return (registry) => {
    const registers = [registry];
    registry.registerMetric(
      new Gauge({
        name: 'streamgate_leases',
        help: 'Sources of streams that this server has the lease of',
        registers: [],
        collect() {
          this.set(leases.held().length);
        },
      }),
    );
    const claims = new Histogram({
      name: 'streamgate_lease_claim_seconds',
      help: 'How long claims of a source took, by their outcome: held, taken, elsewhere or unavailable',
      labelNames: ['outcome'],
      buckets: FAST_SECONDS,
      registers,
    });
    leases.on('claimed', (outcome, ms) => claims.observe({ outcome }, ms / 1_000));
    const lost = new Counter({
      name: 'streamgate_leases_lost_total',
      help: 'Leases that were lost with their broadcasts, because the database did not renew them in time',
      registers,
    });
    leases.on('lost', (count) => lost.inc(count));
    const renewals = new Histogram({
      name: 'streamgate_lease_renewal_seconds',
      help: 'How long the database took to renew all leases, every two seconds',
      buckets: FAST_SECONDS,
      registers,
    });
    const servers = new Gauge({
      name: 'streamgate_servers',
      help: 'Servers on the database whose heartbeat is fresh, with this one',
      registers,
    });
    node.on('nodes', (nodes, tookMs) => {
      renewals.observe(tookMs / 1_000);
      servers.set(nodes.filter(({ isAlive }) => isAlive).length);
    });
  };
}

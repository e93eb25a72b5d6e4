import { Counter, Gauge, Histogram } from 'prom-client';
import type { DatabaseMonitor } from '../store/availability/database-monitor.js';
import type { RowFaults } from '../store/rows/row-faults.js';
import { FAST_SECONDS, type MetricsPart } from './metrics.js';

export function databaseMetrics(
  monitor: Pick<DatabaseMonitor, 'on' | 'connections'>,
  rowFaults: Pick<RowFaults, 'tables'>,
): MetricsPart {
  return (registry) => {
    const registers = [registry];
    const steps = new Histogram({
      name: 'streamgate_database_seconds',
      help: 'How long the database took, by the step: until a connection was free, to begin and commit, and by kind of statement',
      labelNames: ['step'],
      buckets: FAST_SECONDS,
      registers,
    });
    monitor.on('took', (step, ms) => steps.observe({ step }, ms / 1_000));
    const faults = new Counter({
      name: 'streamgate_database_faults_total',
      help: 'Calls of the database that failed: database_unavailable, busy or disk_full',
      labelNames: ['kind'],
      registers,
    });
    for (const kind of ['database_unavailable', 'busy', 'disk_full']) faults.inc({ kind }, 0);
    monitor.on('fault', (kind) => faults.inc({ kind }));
    registry.registerMetric(
      new Gauge({
        name: 'streamgate_database_connections',
        help: 'Connections to the database that are used, and, with PostgreSQL, calls that wait for one',
        labelNames: ['state'],
        registers: [],
        collect() {
          const { used, waiting } = monitor.connections;
          this.set({ state: 'used' }, used);
          this.set({ state: 'waiting' }, waiting);
        },
      }),
    );
    registry.registerMetric(
      new Gauge({
        name: 'streamgate_unreadable_rows',
        help: 'Stored rows that could not be read when they were last read, by table',
        labelNames: ['table'],
        registers: [],
        collect() {
          this.reset();
          for (const [table, rows] of rowFaults.tables) this.set({ table }, rows);
        },
      }),
    );
  };
}

import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { DatabaseClock } from '../cluster/database-clock.js';
import { RelayPasses } from '../cluster/relay/relay-pass.js';
import type { Config } from '../config/config.js';
import { monotonicNow } from '../monotonic-now.js';
import type { DatabaseMonitor } from '../store/availability/database-monitor.js';
import type { ServerKeys } from '../store/keys/key-file.js';
import { openRelayKey } from '../store/keys/relay-key.js';
import { ValueSeal } from '../store/keys/value-seal.js';
import { notify, openPostgresForHeartbeats } from '../store/postgres/postgres-database.js';
import { CLUSTER_CHANNEL, PostgresClusterStore } from '../store/postgres/postgres-cluster-store.js';
import { PostgresNotifications } from '../store/postgres/postgres-notifications.js';
import type { Database } from '../store/schema.js';
import { soleServer, type Cluster } from './cluster.js';
import { joinCluster } from './join-cluster.js';
import type { OpenedResources } from './opened-resources.js';

export interface ClusterOptions {
  readonly config: Config;
  readonly db: Database;
  readonly monitor: DatabaseMonitor;
  readonly keys: ServerKeys;
  readonly clock: DatabaseClock;
  readonly log: Logger;
}

/**
 * Joins the other servers on the database. With SQLite there are none.
 * @throws {DatabaseError} @throws {ApiError} the database does not answer
 */
export async function openCluster(opened: OpenedResources, options: ClusterOptions): Promise<Cluster> {
  const { config, db, monitor, keys, clock, log } = options;
  const { databaseUrl } = config;
  if (databaseUrl === undefined) return soleServer(clock.now);
  const identity = { id: randomBytes(16).toString('hex'), url: config.nodeUrl };
  const passes = new RelayPasses(await openRelayKey(db, new ValueSeal(keys.sealKey)));
  const heartbeats = openPostgresForHeartbeats(databaseUrl, monitor);
  opened.add(() => heartbeats.destroy());
  const store = new PostgresClusterStore(db, heartbeats);
  const notifications = new PostgresNotifications({
    databaseUrl,
    channel: CLUSTER_CHANNEL,
    notify: (echo) => notify(db, echo),
    monitor,
  });
  return await joinCluster(opened, { config, identity, passes, store, notifications, clock, monotonicNow, log });
}

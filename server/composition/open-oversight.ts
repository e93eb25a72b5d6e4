import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { OpenedResources } from './opened-resources.js';
import { RefusalLog } from '../oversight/refusal-log.js';
import type { AuditStore } from '../oversight/audit-store.js';
import type { SessionStore } from '../oversight/session-store.js';
import { SessionRecorder } from './session-recorder.js';
import { Statistics } from '../statistics/statistics.js';
import { ViewingRecorder } from '../statistics/viewing-recorder.js';
import type { Database } from '../store/schema.js';
import { SqlAuditStore } from '../store/tables/sql-audit-store.js';
import { SqlRefusalStore } from '../store/tables/sql-refusal-store.js';
import { SqlSessionStore } from '../store/tables/sql-session-store.js';
import { SqlStatisticsStore } from '../store/tables/sql-statistics-store.js';
import { SqlViewingStore } from '../store/tables/sql-viewing-store.js';

/** What is written down of what happens, and the sums of it. */
export interface Oversight {
  readonly audit: AuditStore;
  readonly refusals: RefusalLog;
  readonly sessions: SessionStore;
  readonly recorder: SessionRecorder;
  readonly statistics: Statistics;
}

export interface OpenOversightOptions {
  readonly db: Database;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** See `ViewingRecorder`. */
  readonly overloadedOn: () => number | undefined;
  readonly log: Logger;
}

/** What `opened` closes writes first what is not stored yet. */
export function openOversight(
  opened: OpenedResources,
  { db, overloadedOn, now, log }: OpenOversightOptions,
): Oversight {
  const refusals = new RefusalLog({
    store: new SqlRefusalStore(db),
    now,
    onDropped: (count, err) => log.warn({ count, err }, 'refusals were not recorded'),
  });
  opened.add(() => refusals.close());
  const viewingStore = new SqlViewingStore(db);
  const viewing = new ViewingRecorder({
    store: viewingStore,
    serverId: randomBytes(8).toString('hex'),
    now,
    overloadedOn,
    onDropped: (count, err) => log.warn({ count, err }, 'reports of viewers were not recorded'),
  });
  opened.add(() => viewing.close());
  const sessions = new SqlSessionStore(db);
  const recorder = new SessionRecorder({
    store: sessions,
    viewing,
    now,
    onDropped: (count, err) => log.warn({ count, err }, 'sessions were not recorded'),
  });
  opened.add(() => recorder.close());
  const statistics = new Statistics({
    store: new SqlStatisticsStore(db),
    viewing: viewingStore,
    flush: () => Promise.all([recorder.flush(), viewing.flush()]),
    now,
  });
  return { audit: new SqlAuditStore(db), refusals, sessions, recorder, statistics };
}

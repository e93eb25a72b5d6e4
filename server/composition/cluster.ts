import { randomBytes } from 'node:crypto';
import { FailedAttemptLimiter } from '../accounts/failed-attempt-limiter.js';
import { NO_VIEWINGS_ELSEWHERE, type ViewingsBegun, type ViewingsElsewhere } from '../admission/token-viewings.js';
import type { OthersAlive } from '../cluster/others-alive.js';
import type { MetricsPart } from '../metrics/metrics.js';
import type { LiveStatus } from '../streams/live-status.js';
import { SOLE_SERVER_LEASES, type StreamLeases } from '../streams/stream-leases.js';
import { NOTHING_ELSEWHERE, type StreamsElsewhere } from '../streams/streams-elsewhere.js';
import type { ClusterMembers } from './connect-members.js';
import { NO_RELAYS, type Relays } from './open-relays.js';
import type { StreamId } from '../streams/stream-id.js';

/** The servers on one database. */
export interface Cluster {
  /** Other servers can be on the database. */
  readonly isShared: boolean;
  /** Other servers on the database are running. */
  hasOthers(): boolean;
  /** Identifies this start of the server. */
  readonly nodeId: string;
  /** Undefined: this server does not know them now. */
  readonly othersAlive: () => OthersAlive | undefined;
  readonly leases: StreamLeases;
  readonly metrics: readonly MetricsPart[];
  readonly streams: StreamsElsewhere;
  readonly viewings: ViewingsElsewhere;
  /** The sessions of an account with a limit on other servers. */
  accountSessionsElsewhere(accountId: string): number;
  /** Viewings began on other servers, or got their media there. */
  onViewings(listener: (begun: ViewingsBegun) => void): void;
  readonly attempts: FailedAttemptLimiter;
  /** When a viewing begins: different for each server. */
  readonly viewingNow: () => number;
  /** The live streams of an account on other servers. */
  liveElsewhere(accountId: string): Promise<readonly LiveStatus[]>;
  /** Has the other servers end the sessions of a record. @returns false if there can be no other servers */
  removeSessionElsewhere(streamId: StreamId, id: string): boolean;
  /** How many viewers of a stream there are on other servers. */
  viewersElsewhere(streamId: StreamId): number;
  /** Call once, before `connect`. */
  openRelays(members: Pick<ClusterMembers, 'engine' | 'streams'>): Relays;
  /** Call once, before any session opens. */
  connect(members: ClusterMembers): void;
  /** Tells the other servers that the sessions of this one are about to end. */
  announceStop(): Promise<void>;
}

/** With SQLite there are no other servers. @param now milliseconds since 1970 */
export function soleServer(now: () => number): Cluster {
  return {
    isShared: false,
    hasOthers: () => false,
    nodeId: randomBytes(16).toString('hex'),
    // Nobody can join.
    othersAlive: () => ({ ids: new Set(), asOf: Number.MAX_SAFE_INTEGER }),
    leases: SOLE_SERVER_LEASES,
    metrics: [],
    streams: NOTHING_ELSEWHERE,
    viewings: NO_VIEWINGS_ELSEWHERE,
    accountSessionsElsewhere: () => 0,
    onViewings() {},
    attempts: new FailedAttemptLimiter(),
    viewingNow: now,
    liveElsewhere: async () => [],
    removeSessionElsewhere: () => false,
    viewersElsewhere: () => 0,
    openRelays: () => NO_RELAYS,
    connect() {},
    announceStop: async () => {},
  };
}

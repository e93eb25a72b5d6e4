import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { AUDIT_RETENTION_MS, type AuditStore } from '../oversight/audit-store.js';
import type { SessionStore } from '../oversight/session-store.js';
import { Pruning } from '../oversight/pruning.js';
import type { Statistics } from '../statistics/statistics.js';
import type { RecordingLibrary } from '../recording/recording-library.js';
import type { RecordingSweep } from '../recording/recording-sweep.js';
import type { TokenService } from '../tokens/token-service.js';

export interface PruningJobsDependencies {
  readonly audit: Pick<AuditStore, 'prune'>;
  readonly tokens: Pick<TokenService, 'deleteExpired'>;
  readonly sessions: Pick<SessionStore, 'prune'>;
  readonly statistics: Pick<Statistics, 'refresh' | 'prune'>;
  readonly recordings: Pick<RecordingLibrary, 'deleteExpired'>;
  /** Undefined: this server has no folder of recordings. */
  readonly recordingFolders?: Pick<RecordingSweep, 'run'> | undefined;
  readonly config: Pick<Config, 'expiredTokensKeptDays' | 'sessionsKeptDays'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The jobs that delete old audit entries, sessions, recordings that expired, and tokens that expired long ago. */
export function createPruningJobs({
  audit,
  tokens,
  sessions,
  statistics,
  recordings,
  recordingFolders,
  config,
  now,
  log,
}: PruningJobsDependencies): readonly Pruning[] {
  const { expiredTokensKeptDays, sessionsKeptDays } = config;
  const auditEntries = new Pruning({
    name: 'delete old audit entries',
    everyMs: DAY_MS,
    prune: (time) => audit.prune(time - AUDIT_RETENTION_MS),
    now,
    onFailed: (err) => log.warn({ err }, 'old audit entries were not deleted'),
  });
  const oldSessions = new Pruning({
    name: 'delete old sessions',
    everyMs: HOUR_MS,
    prune: async (time, signal) => {
      // First the sums: a session that is deleted counts no more.
      await statistics.refresh();
      const begin = time - sessionsKeptDays * DAY_MS;
      await statistics.prune(begin);
      await sessions.prune(begin, signal);
    },
    now,
    onFailed: (err) => log.warn({ err }, 'old sessions were not deleted'),
  });
  const expiredRecordings = new Pruning({
    name: 'delete expired recordings',
    everyMs: HOUR_MS,
    prune: async (time, signal) => {
      const count = await recordings.deleteExpired(time, signal);
      if (count > 0) log.info({ count }, 'expired recordings were deleted');
      await recordingFolders?.run(time, signal);
    },
    now,
    onFailed: (err) => log.warn({ err }, 'expired recordings were not deleted'),
  });
  if (expiredTokensKeptDays === undefined) return [auditEntries, oldSessions, expiredRecordings];
  const expiredTokens = new Pruning({
    name: 'delete expired tokens',
    // Every hour: with tokens of a short lifetime, thousands expire in a day.
    everyMs: HOUR_MS,
    prune: async (time, signal) => {
      const count = await tokens.deleteExpired(time - expiredTokensKeptDays * DAY_MS, signal);
      if (count > 0) log.info({ count }, 'expired tokens were deleted');
    },
    now,
    onFailed: (err) => log.warn({ err }, 'expired tokens were not deleted'),
  });
  return [auditEntries, oldSessions, expiredRecordings, expiredTokens];
}

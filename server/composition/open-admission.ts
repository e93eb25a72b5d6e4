import type { Logger } from 'pino';
import type { KnownLimits } from '../accounts/limits/account-limits.js';
import { AccountSessions } from '../admission/account-sessions.js';
import { Admission } from '../admission/admission.js';
import type { CountrySource } from '../admission/country-source.js';
import { TokenViewings } from '../admission/token-viewings.js';
import { Decisions } from '../metrics/admission-metrics.js';
import type { RefusalLog } from '../oversight/refusal-log.js';
import type { Session } from '../sessions/session.js';
import type { Database } from '../store/schema.js';
import type { StreamRegistry } from '../streams/stream-registry.js';
import { CredentialReader } from '../tokens/credential-reader.js';
import type { TokenDirectory } from '../tokens/token-directory.js';
import type { TokenFollower } from '../tokens/token-follower.js';
import type { TokenService } from '../tokens/token-service.js';
import type { RefusalGroups } from '../webhooks/refusal-groups.js';
import type { Cluster } from './cluster.js';
import { openLimits } from './open-limits.js';
import type { OpenedResources } from './opened-resources.js';
import { RefusalAdapter } from './refusal-adapter.js';

/** What decides who may publish and view, and what it counts for that. */
export interface OpenedAdmission {
  readonly admission: Admission;
  readonly viewings: TokenViewings<Session>;
  readonly accountSessions: AccountSessions;
  readonly limits: KnownLimits;
  /** Records the refusals of open sessions too. */
  readonly refusals: RefusalAdapter;
  readonly decisions: Decisions;
}

export interface OpenAdmissionOptions {
  readonly db: Database;
  readonly directory: TokenDirectory;
  readonly follower: TokenFollower;
  readonly tokens: TokenService;
  readonly cluster: Cluster;
  readonly streams: StreamRegistry;
  readonly countries: CountrySource;
  readonly refusalLog: Pick<RefusalLog, 'record'>;
  readonly refusalGroups: Pick<RefusalGroups, 'add'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** @throws {ApiError} the database does not answer */
export async function openAdmission(opened: OpenedResources, options: OpenAdmissionOptions): Promise<OpenedAdmission> {
  const { directory, follower, tokens, cluster, streams, countries, refusalLog, refusalGroups, now } = options;
  const decisions = new Decisions();
  const refusals = new RefusalAdapter({
    record(refusal) {
      decisions.decided(refusal.kind, refusal.reason);
      refusalLog.record(refusal);
      refusalGroups.add(refusal);
    },
  });
  const viewings = new TokenViewings<Session>({ elsewhere: cluster.viewings, now: cluster.viewingNow });
  const limits = await openLimits(opened, options);
  const accountSessions = new AccountSessions({
    maxOf: (accountId) => limits.of(accountId).maxSessions,
    elsewhere: (accountId) => cluster.accountSessionsElsewhere(accountId),
  });
  const admission = new Admission({
    credentials: new CredentialReader({ directory, follower, now }),
    streams,
    viewings,
    countries,
    accounts: accountSessions,
    bindings: tokens,
    now,
    refusals,
    onAdmitted: (kind) => decisions.decided(kind, 'allowed'),
  });
  return { admission, viewings, accountSessions, limits, refusals, decisions };
}

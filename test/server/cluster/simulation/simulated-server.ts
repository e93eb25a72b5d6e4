import { pino } from 'pino';
import { AccountSessions } from '../../../../server/admission/account-sessions.js';
import { Admission } from '../../../../server/admission/admission.js';
import { NO_COUNTRIES } from '../../../../server/admission/country-source.js';
import { displaceOldest } from '../../../../server/admission/displacement.js';
import { Enforcement } from '../../../../server/admission/enforcement.js';
import { TokenViewings, type ViewingsBegun } from '../../../../server/admission/token-viewings.js';
import { DatabaseClock } from '../../../../server/cluster/database-clock.js';
import type { RelayPasses } from '../../../../server/cluster/relay/relay-pass.js';
import type { Cluster } from '../../../../server/composition/cluster.js';
import { joinCluster } from '../../../../server/composition/join-cluster.js';
import { OpenedResources } from '../../../../server/composition/opened-resources.js';
import { Entrance } from '../../../../server/sessions/entrance.js';
import type { Session } from '../../../../server/sessions/session.js';
import { Sessions } from '../../../../server/sessions/sessions.js';
import { ViewerMigration } from '../../../../server/sessions/viewer-migration.js';
import { StreamPlaces } from '../../../../server/streams/stream-places.js';
import { StreamRegistry } from '../../../../server/streams/stream-registry.js';
import { CredentialReader } from '../../../../server/tokens/credential-reader.js';
import { TokenDirectory } from '../../../../server/tokens/token-directory.js';
import { TokenFollower } from '../../../../server/tokens/token-follower.js';
import type { RelayLinks } from './relay-links.js';
import type { DatabaseLink, SimulatedDatabase } from './simulated-database.js';
import { SimulatedEngine } from './simulated-engine.js';
import type { SimulatedProcess } from './virtual-time.js';

export const ACCOUNT = 'acme';
/** How many sessions the account may have: more than there are clients. */
const MAX_SESSIONS = 1_000;

export interface SimulatedServerOptions {
  readonly url: string;
  readonly id: string;
  readonly process: SimulatedProcess;
  readonly database: SimulatedDatabase;
  readonly link: DatabaseLink;
  readonly links: RelayLinks;
  readonly passes: RelayPasses;
  readonly nodeRelay: boolean;
  readonly resumeWithinMs: number;
}

export type SimulatedServer = Awaited<ReturnType<typeof startServer>>;

const log = pino({ level: 'silent' });
const onFault = (error: unknown) => {
  throw error;
};

/**
 * One server, put together as `createStreamServer` does: what concerns other servers. Its database, its clocks and the
 * network between servers are simulated. Call it within its process.
 */
export async function startServer(options: SimulatedServerOptions) {
  const { url, id, process, database, link, links, passes, nodeRelay, resumeWithinMs } = options;
  const opened = new OpenedResources();
  const clock = new DatabaseClock(process.wallNow);
  const { now } = clock;
  const directory = new TokenDirectory();
  const follower = new TokenFollower({
    store: database.tokenStore(link),
    directory,
    changes: database.tokenFeed(link),
  });
  opened.add(() => follower.close());
  await follower.start();
  const cluster: Cluster = await joinCluster(opened, {
    config: { nodeRelay },
    identity: { id, url },
    passes,
    store: database.clusterStore(link),
    notifications: database.notifications(link, 'cluster'),
    clock,
    monotonicNow: process.monotonicNow,
    log,
  });
  const engine = new SimulatedEngine(process, links);
  const streams = new StreamRegistry(engine, {
    resumeWithinMs,
    leases: cluster.leases,
    elsewhere: cluster.streams,
    viewersElsewhere: (streamId) => cluster.viewersElsewhere(streamId),
    now,
  });
  const relays = cluster.openRelays({ engine, streams });
  const places = new StreamPlaces({ streams, nodeUrl: url, isShared: true, relayed: relays.relayed });
  const viewings = new TokenViewings<Session>({ elsewhere: cluster.viewings, now: cluster.viewingNow });
  const accountSessions = new AccountSessions({
    maxOf: () => MAX_SESSIONS,
    elsewhere: (accountId) => cluster.accountSessionsElsewhere(accountId),
  });
  const admission = new Admission({
    credentials: new CredentialReader({ directory, follower, now }),
    streams,
    viewings,
    countries: NO_COUNTRIES,
    accounts: accountSessions,
    bindings: { bindAddress: async () => 'already_bound' },
    now,
    refusals: { refused() {} },
  });
  const sessions = new Sessions({ engine, streams, admission, refusals: { sourceInUse() {} }, log });
  viewings.follow(sessions);
  accountSessions.follow(sessions);
  const onViewingElsewhere = (listener: (begun: ViewingsBegun) => void) => cluster.onViewings(listener);
  const shared = { sessions, tokens: directory, streams, onViewingElsewhere, viewings, onFault };
  const enforcement = new Enforcement({ ...shared, admission, now });
  displaceOldest(shared);
  const entrance = new Entrance();
  const migration = new ViewerMigration({ sessions, streams, places, entrance });
  relays.onChanged((streamId) => migration.check(streamId));
  opened.add(() => {
    migration.close();
    sessions.close();
    enforcement.close();
  });
  cluster.connect({
    engine,
    streams,
    sessions,
    migration,
    viewings,
    accountSessions,
    limitedAccounts: () => new Set([ACCOUNT]),
    liveHere: () => streams.liveStreamsHere(),
    removeSession: (_streamId, sessionId) => sessions.remove(sessionId),
  });
  opened.add(() => cluster.announceStop());
  return {
    url,
    id,
    process,
    link,
    engine,
    cluster,
    streams,
    sessions,
    admission,
    places,
    relays,
    entrance,
    directory,
    viewings,
    accountSessions,
    /** Stops in order. */
    async stop() {
      entrance.shut(now());
      await opened.close();
    },
  };
}

import type { Logger } from 'pino';
import { displaceOldest } from '../admission/displacement.js';
import { Enforcement } from '../admission/enforcement.js';
import { GrantLedger } from '../admission/grant-ledger.js';
import { GrantSigner } from '../admission/grant-signer.js';
import { ResumeTokens } from '../admission/resume-tokens.js';
import type { ViewingsBegun } from '../admission/token-viewings.js';
import type { Config } from '../config/config.js';
import type { Entrance } from '../sessions/entrance.js';
import { monotonicNow } from '../monotonic-now.js';
import { GrantRedemption } from '../sessions/grant-redemption.js';
import { PendingSessions } from '../sessions/pending-sessions.js';
import { limitPublishBitrate } from '../sessions/publish-bitrate-limits.js';
import { Sessions } from '../sessions/sessions.js';
import { UnconnectedSessions } from '../sessions/unconnected-sessions.js';
import { ViewerMigration } from '../sessions/viewer-migration.js';
import type { ServerKeys } from '../store/keys/key-file.js';
import type { TokenDirectory } from '../tokens/token-directory.js';
import type { TokenUses } from '../webhooks/token-uses.js';
import type { OpenedAdmission } from './open-admission.js';
import type { Cluster } from './cluster.js';
import type { OpenedMedia } from './open-media.js';
import { OpenedResources } from './opened-resources.js';
import type { SessionRecorder } from './session-recorder.js';
import type { StreamId } from '../streams/stream-id.js';

/** The time between two reports of a viewer. */
const REPORT_SECONDS = 10;

/** The sessions of admitted clients, how clients open them, and what may end them. */
export interface OpenedSessions {
  readonly sessions: Sessions;
  readonly unconnected: UnconnectedSessions;
  readonly migration: ViewerMigration;
  readonly grants: GrantSigner;
  readonly resumeTokens: ResumeTokens;
  readonly redemption: GrantRedemption;
  readonly pending: PendingSessions;
  /** Ends every session. Call while their websockets are open: clients are told over them. */
  close(): Promise<void>;
}

export interface OpenSessionsOptions
  extends
    Pick<OpenedMedia, 'engine' | 'upstreams' | 'streams' | 'relays' | 'places'>,
    Pick<OpenedAdmission, 'admission' | 'viewings' | 'accountSessions' | 'limits' | 'refusals'> {
  readonly config: Pick<Config, 'viewerReports' | 'sessionsKeptDays'>;
  readonly keys: Pick<ServerKeys, 'grantKey'>;
  readonly directory: TokenDirectory;
  readonly cluster: Pick<Cluster, 'onViewings'>;
  readonly recorder: SessionRecorder;
  readonly tokenUses: TokenUses;
  readonly entrance: Pick<Entrance, 'shutSince'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

export function openSessions(options: OpenSessionsOptions): OpenedSessions {
  const { config, keys, directory, cluster, recorder, tokenUses, now, log } = options;
  const { engine, upstreams, streams, relays, places } = options;
  const { entrance } = options;
  const { admission, viewings, accountSessions, limits, refusals } = options;
  const opened = new OpenedResources();
  const reportSeconds = config.viewerReports && config.sessionsKeptDays > 0 ? REPORT_SECONDS : undefined;
  const capabilitiesOf = (streamId: StreamId) => engine.capabilitiesOf(streamId);
  const sessions = new Sessions({ engine, capabilitiesOf, streams, admission, refusals, reportSeconds, log });
  upstreams.directory.on('changed', (moved) => sessions.loseMediaOf(moved));
  const unconnected = new UnconnectedSessions({
    now: monotonicNow,
  });
  unconnected.follow(sessions, engine);
  viewings.follow(sessions);
  accountSessions.follow(sessions);
  limitPublishBitrate({ sessions, limits, now, log });
  tokenUses.follow(sessions);
  if (config.sessionsKeptDays > 0) {
    recorder.follow(sessions, engine);
  }

  const onViewingElsewhere = (listener: (begun: ViewingsBegun) => void) => cluster.onViewings(listener);
  const enforcement = new Enforcement({
    sessions,
    tokens: directory,
    streams,
    onViewingElsewhere,
    viewings,
    admission,
    now,
    onFault: (err, { grant }) => log.error({ session: grant.sessionId, err }, 'a session could not be decided again'),
  });
  displaceOldest({
    sessions,
    tokens: directory,
    viewings,
    onViewingElsewhere,
    onFault: (err, { grant }) => log.error({ session: grant.sessionId, err }, 'a session could not be displaced'),
  });
  const migration = new ViewerMigration({ sessions, streams, places, entrance });
  relays.onChanged((streamId) => migration.check(streamId));
  opened.add(() => migration.close());
  opened.add(() => sessions.close());
  opened.add(() => enforcement.close());

  const grants = new GrantSigner(keys.grantKey);
  const resumeTokens = new ResumeTokens(keys.grantKey);
  const ledger = new GrantLedger();
  const pending = new PendingSessions({ sessions, unconnected, ledger, resumeTokens, now });
  const redemption = new GrantRedemption({ grants, resumeTokens, pending, ledger, node: places.grantNode });
  return { sessions, unconnected, migration, grants, resumeTokens, redemption, pending, close: () => opened.close() };
}

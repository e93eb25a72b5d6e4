import type { PublishBitrateControl } from '../../src/wire/management/account-limits.js';
import type { FailedAttemptLimiter } from '../accounts/failed-attempt-limiter.js';
import { CallLimiter } from '../accounts/limits/call-limiter.js';
import type { Config } from '../config/config.js';
import { findFfmpeg } from '../find-ffmpeg.js';
import type { LiveState } from '../http/management/management-routes.js';
import type { EngineCapabilities } from '../media/engine/engine-capabilities.js';
import { jpegOf } from '../media/still/jpeg.js';
import type { RecordingControl } from '../recording/recording-control.js';
import type { Sessions } from '../sessions/sessions.js';
import type { ViewerMigration } from '../sessions/viewer-migration.js';
import type { LiveStatus } from '../streams/live-status.js';
import type { TokenFollower } from '../tokens/token-follower.js';
import type { TokenDirectory } from '../tokens/token-directory.js';
import type { OpenedAdmission } from './open-admission.js';
import type { Cluster } from './cluster.js';
import type { OpenedMedia } from './open-media.js';
import type { OpenedRecording } from './open-recording.js';
import { SessionDeliveries } from './session-deliveries.js';
import type { SessionRecorder } from './session-recorder.js';
import { Stills, type StillsOptions } from './stills.js';
import type { StreamId } from '../streams/stream-id.js';

/** What the management API reads of the running server, and stops in it. */
export interface OpenedManagement {
  readonly live: LiveState;
  /** The failed attempts of callers. */
  readonly attempts: FailedAttemptLimiter;
  readonly calls: CallLimiter;
}

export interface OpenManagementOptions
  extends
    Pick<OpenedMedia, 'engine' | 'streams'>,
    Pick<OpenedAdmission, 'admission' | 'viewings' | 'accountSessions' | 'limits'> {
  readonly config: Pick<Config, 'ffmpegPath'>;
  readonly directory: Pick<TokenDirectory, 'findById'>;
  readonly follower: Pick<TokenFollower, 'refreshTokenIfStale'>;
  readonly cluster: Cluster;
  readonly sessions: Sessions;
  readonly migration: Pick<ViewerMigration, 'lookElsewhere'>;
  readonly recorder: SessionRecorder;
  readonly recorded: Pick<OpenedRecording, 'control' | 'service'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Connects this server with the others on the database: they show what is live here, and end sessions of this one. */
export function openManagement(options: OpenManagementOptions): OpenedManagement {
  const { config, cluster, directory, follower, sessions, migration, recorder, recorded, now } = options;
  const { control: recording, service: recordingService } = recorded;
  const { engine, streams, admission, viewings, accountSessions, limits } = options;
  const removeSessionHere = (streamId: StreamId, id: string): boolean =>
    recorder.openSessions(streamId, id).filter((session) => sessions.remove(session)).length > 0;
  const liveHere = (accountId?: string): LiveStatus[] => streams.liveStreamsHere(accountId);
  cluster.connect({
    engine,
    streams,
    sessions,
    migration,
    viewings,
    accountSessions,
    limitedAccounts: () => limits.accountIds,
    removeSession: removeSessionHere,
    liveHere: () => liveHere().map((status) => withRecording(status, recording)),
  });
  const live: LiveState = {
    streams,
    admission,
    async findToken(id) {
      await follower.refreshTokenIfStale(id);
      return directory.findById(id);
    },
    removeSession(streamId, id) {
      if (removeSessionHere(streamId, id)) return 'ended';
      return cluster.removeSessionElsewhere(streamId, id) ? 'elsewhere' : 'not_open';
    },
    liveStreams: { of: async (accountId) => [...liveHere(accountId), ...(await cluster.liveElsewhere(accountId))] },
    limits: {
      limitsOf: (accountId) => limits.of(accountId),
      sessionsOf: (accountId) => accountSessions.total(accountId),
      publishBitrateControl: publishBitrateControlOf(engine.capabilities),
    },
    viewings,
    stills: new Stills({ engine, now: () => performance.now(), jpegOf: jpegConverter(config) }),
    recording,
    recordingService,
    deliveries: new SessionDeliveries({ engine, sessions, recorder }),
  };
  const calls = new CallLimiter((accountId) => limits.of(accountId).maxCalls, now);
  return { live, attempts: cluster.attempts, calls };
}

function publishBitrateControlOf({ limitsBitrate, measuresBitrate }: EngineCapabilities): PublishBitrateControl {
  if (!limitsBitrate) return 'none';
  return measuresBitrate ? 'enforced' : 'told';
}

/** As other servers show it, which do not know what is recorded here. */
function withRecording(status: LiveStatus, recording: Pick<RecordingControl, 'isRecording'>): LiveStatus {
  const sources = status.sources.map((source) => ({
    ...source,
    recording: recording.isRecording(status.streamId, source.sourceId),
  }));
  return { ...status, sources };
}

/** Undefined: there is no ffmpeg. */
function jpegConverter({ ffmpegPath }: Pick<Config, 'ffmpegPath'>): StillsOptions['jpegOf'] {
  const ffmpeg = findFfmpeg(ffmpegPath);
  return ffmpeg === undefined ? undefined : (still) => jpegOf(ffmpeg, still);
}

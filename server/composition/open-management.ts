import { CallLimiter } from '../accounts/limits/call-limiter.js';
import type { Config } from '../config/config.js';
import { findFfmpeg } from '../find-ffmpeg.js';
import { jpegOf } from '../media/still/jpeg.js';
import type { RecordingControl } from '../recording/recording-control.js';
import type { Sessions } from '../sessions/sessions.js';
import type { LiveStatus } from '../streams/live-status.js';
import type { RouterDependencies } from './app.js';
import type { OpenedAdmission } from './open-admission.js';
import type { Cluster } from './open-cluster.js';
import type { OpenedMedia } from './open-media.js';
import { SessionDeliveries } from './session-deliveries.js';
import type { SessionRecorder } from './session-recorder.js';
import { Stills, type StillsOptions } from './stills.js';

/** What the management API reads of the running server, and stops in it. */
export type OpenedManagement = Pick<
  RouterDependencies,
  'removeSession' | 'live' | 'attempts' | 'calls' | 'limits' | 'viewings' | 'stills' | 'recording' | 'deliveries'
>;

export interface OpenManagementOptions
  extends Pick<OpenedMedia, 'engine' | 'streams'>, Pick<OpenedAdmission, 'viewings' | 'accountSessions' | 'limits'> {
  readonly config: Pick<Config, 'ffmpegPath'>;
  readonly cluster: Cluster;
  readonly sessions: Sessions;
  readonly recorder: SessionRecorder;
  readonly recording: RecordingControl;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Connects this server with the others on the database: they show what is live here, and end sessions of this one. */
export function openManagement(options: OpenManagementOptions): OpenedManagement {
  const { config, cluster, sessions, recorder, recording, engine, streams, viewings, limits, now } = options;
  const { accountSessions } = options;
  const removeSessionHere = (streamId: string, id: string): boolean =>
    recorder.openSessions(streamId, id).filter((session) => sessions.remove(session)).length > 0;
  const liveHere = (accountId?: string): LiveStatus[] => streams.liveStreamsHere(accountId);
  cluster.connect({
    engine,
    streams,
    sessions,
    viewings,
    accountSessions,
    limitedAccounts: () => limits.accountIds,
    removeSession: removeSessionHere,
    liveHere: () => liveHere().map((status) => withRecording(status, recording)),
  });
  return {
    removeSession(streamId, id) {
      if (removeSessionHere(streamId, id)) return 'ended';
      return cluster.removeSessionElsewhere(streamId, id) ? 'elsewhere' : 'not_open';
    },
    live: { of: async (accountId) => [...liveHere(accountId), ...(await cluster.liveElsewhere(accountId))] },
    attempts: cluster.attempts,
    calls: new CallLimiter((accountId) => limits.of(accountId).maxCalls, now),
    limits: {
      limitsOf: (accountId) => limits.of(accountId),
      sessionsOf: (accountId) => accountSessions.total(accountId),
    },
    viewings,
    stills: new Stills({ engine, now: () => performance.now(), jpegOf: jpegConverter(config) }),
    recording,
    deliveries: new SessionDeliveries({ engine, sessions, recorder }),
  };
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

import type { Logger } from 'pino';
import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { ViewerReport } from '../../src/wire/websocket/viewer-report.js';
import type { DeviceClass } from '../../src/wire/management/session.js';
import type { Grant } from '../admission/grant.js';
import { Emitter } from '../faults/emitter.js';
import type { EngineCapabilities } from '../media/engine/engine-capabilities.js';
import type { MediaEngine } from '../media/engine/media-engine.js';
import type { Verdict } from '../rules/rule.js';
import type { StreamEvent } from '../streams/stream-event.js';
import { streamIdOf, type StreamId } from '../streams/stream-id.js';
import type { StreamRegistry } from '../streams/stream-registry.js';
import { PublisherSession } from './publisher-session.js';
import type { SessionEndReason } from './session-end-reason.js';
import type { SessionEvents } from './session-events.js';
import type { Session, SessionContext, SessionObserver } from './session.js';
import { refusalNotice } from './stop-notice.js';
import { ViewerSession } from './viewer-session.js';

/** Decides again about a grant whose session is about to open: its token may have changed since. */
export interface GrantRechecker {
  recheck(grant: Grant): Verdict;
}

/** Records a refusal that happened after admission. */
export interface SourceInUseLog {
  /** An admitted publisher found its source claimed. Must return fast. */
  sourceInUse(grant: Grant): void;
}

export interface SessionsDependencies {
  readonly engine: MediaEngine;
  /** What the engine can do for a stream. Absent: the same for all. */
  readonly capabilitiesOf?: ((streamId: StreamId) => EngineCapabilities) | undefined;
  readonly streams: StreamRegistry;
  readonly admission: GrantRechecker;
  readonly refusals: SourceInUseLog;
  /** The seconds between two reports of a viewer. Absent: none are wanted. */
  readonly reportSeconds?: number | undefined;
  readonly log: Logger;
}

/** The protocol by which a client opened its session. */
export type SessionProtocol = 'websocket' | 'whip' | 'whep' | 'rtmp';

/** How a client opened its session. */
export interface SessionOpening {
  readonly protocol: SessionProtocol;
  /** Of the request that opened it. Undefined: it was not over HTTP. */
  readonly requestId?: string;
}

const BY_WEBSOCKET: SessionOpening = { protocol: 'websocket' };

export interface SessionsEventMap {
  opened: [session: Session, protocol: SessionProtocol];
  /** The media engine connected the media of the session. */
  connected: [session: Session];
  /** A viewer waits for the stream: its media is not connected before. */
  waiting: [session: Session];
  /** Media reaches the viewer now, or no longer. */
  reachable: [session: Session, reachable: boolean];
  /** The client of a viewer reported what the visitor saw. */
  reported: [session: Session, report: ViewerReport, device: DeviceClass];
  /** A publisher sends more than its account may. Bitrates in bit/s. */
  'bitrate-above': [session: Session, bitrate: number, max: number];
  /** This server has too much to do for what a publisher sends, or no longer. */
  overloaded: [session: Session, isOverloaded: boolean];
  /** The client of a viewer was told to watch on another server. The session ends soon, or is `staying`. */
  leaving: [session: Session];
  /** The client was told to leave, is still here, and need not leave any more. */
  staying: [session: Session];
  /** Emitted once for each session that was opened. */
  ended: [session: Session, reason: SessionEndReason];
}

/** All open sessions of this server. Every protocol opens its sessions here. */
export class Sessions extends Emitter<SessionsEventMap> {
  readonly #admission: GrantRechecker;
  readonly #log: Logger;
  readonly #context: SessionContext;
  readonly #open = new Map<string, Session>();
  /** The open sessions whose clients were told to watch on another server. */
  readonly #leaving = new Set<string>();
  /** By the id of the session's media in the media engine. */
  readonly #byMediaId = new Map<string, Session>();

  constructor(dependencies: SessionsDependencies) {
    super('sessions');
    const { engine, streams, admission, refusals, reportSeconds, log } = dependencies;
    const { capabilitiesOf = () => engine.capabilities } = dependencies;
    this.#admission = admission;
    this.#log = log;
    this.#context = { engine, capabilitiesOf, streams, observer: this.#observer(refusals), reportSeconds };
    engine.on('session-lost', (mediaId, code) => this.#byMediaId.get(mediaId)?.mediaLost(code));
    engine.on('network', (mediaId, state) => {
      const session = this.#byMediaId.get(mediaId);
      if (session instanceof ViewerSession) session.networkReported(state);
    });
    engine.on('paused', (mediaId, mediaIds) => {
      const session = this.#byMediaId.get(mediaId);
      if (session instanceof ViewerSession) session.videoPaused(mediaIds);
    });
    engine.on('reachable', (mediaId, reachable) => {
      const session = this.#byMediaId.get(mediaId);
      session?.reachabilityChanged(reachable);
      if (session) this.emit('reachable', session, reachable);
    });
  }

  /**
   * Opens the session of a grant. The caller calls `end` or `connectionLost` when the client is gone. The session may
   * have `ended` already, if the token changed after the grant was made; then `events` received the notice.
   */
  open(grant: Grant, events: SessionEvents, opening = BY_WEBSOCKET): PublisherSession | ViewerSession {
    const { tokenId } = grant;
    return grant.role === 'Publish' && tokenId !== null
      ? this.openPublisher({ ...grant, tokenId }, events, opening)
      : this.openViewer(grant, events, opening);
  }

  /** Like `open`, for the grant of a publisher. */
  openPublisher(grant: Grant & { tokenId: number }, events: SessionEvents, opening = BY_WEBSOCKET): PublisherSession {
    return this.#begin(new PublisherSession(grant, events, this.#context), opening);
  }

  /** Like `open`, for the grant of a viewer. */
  openViewer(grant: Grant, events: SessionEvents, opening = BY_WEBSOCKET): ViewerSession {
    return this.#begin(new ViewerSession(grant, events, this.#context), opening);
  }

  /** Sends the notice of a refusal to a client for which no session is opened. */
  refuse({ accountId, streamName }: Grant, events: SessionEvents, code: RuleRefusalCode): void {
    const streamId = streamIdOf(accountId, streamName);
    events.stop({ streamId, code, ...refusalNotice(code), seq: this.#context.streams.seqOf(streamId) });
  }

  /** All open sessions, the oldest first. */
  get all(): readonly Session[] {
    return [...this.#open.values()];
  }

  get count(): number {
    return this.#open.size;
  }

  /** Whether a viewer of the stream is answered at once. Otherwise it waits for the answer until the stream is live. */
  answersAtOnce({ accountId, streamName }: Grant): boolean {
    const streamId = streamIdOf(accountId, streamName);
    const { capabilitiesOf, streams } = this.#context;
    return capabilitiesOf(streamId).answersWaiting || streams.stateOf(streamId).live;
  }

  /**
   * Ends the media of sessions whose streams another engine carries from now on. Their clients connect again.
   * @param moved whether a stream is one of them
   */
  loseMediaOf(moved: (streamId: StreamId) => boolean): void {
    for (const session of Array.from(this.#open.values())) {
      if (session.mediaRequested && moved(session.streamId)) session.mediaLost('media_engine_restarted');
    }
  }

  /** The open session with this id. */
  find(sessionId: string): Session | undefined {
    return this.#open.get(sessionId);
  }

  /** The open session with this media in the media engine. */
  byMediaId(mediaId: string): Session | undefined {
    return this.#byMediaId.get(mediaId);
  }

  /**
   * Ends a session because the account wants it: `removed_by_owner` for a viewer, `stopped_by_owner` for a publisher.
   * @returns false if it is not open
   */
  remove(sessionId: string): boolean {
    const session = this.#open.get(sessionId);
    session?.stop(session.grant.role === 'Publish' ? 'stopped_by_owner' : 'removed_by_owner');
    return session !== undefined;
  }

  /**
   * Tells the client of a viewer to watch on another server. From now on it counts there.
   * @param migrate undefined: nobody is in the stream any more
   */
  sendAway(viewer: ViewerSession, migrate: StreamEvent | undefined): void {
    if (migrate) viewer.send(migrate);
    if (viewer.ended || this.#leaving.has(viewer.id)) return;
    this.#leaving.add(viewer.id);
    this.emit('leaving', viewer);
  }

  /** A client that was told to leave need not: it counts here again, or its session ends if there is no room any more. */
  keep(viewer: Session): void {
    if (this.#leaving.delete(viewer.id)) this.emit('staying', viewer);
  }

  /** The server stops: every client receives `migrate`, and then its session ends. */
  close(): void {
    const { streams } = this.#context;
    const migrations = new Map<string, StreamEvent | undefined>();
    for (const session of Array.from(this.#open.values())) {
      const { streamId } = session;
      if (!migrations.has(streamId)) migrations.set(streamId, streams.migrateEvent(streamId));
      const migration = migrations.get(streamId);
      if (migration) session.send(migration);
      session.stop('server_stopping');
    }
  }

  #begin<Opened extends Session>(session: Opened, { protocol, requestId }: SessionOpening): Opened {
    const verdict = this.#admission.recheck(session.grant);
    if (!verdict.allowed) {
      session.refuse(verdict.reason);
      return session;
    }
    this.#open.set(session.id, session);
    const isKnown = this.tellAll('opened', session, protocol);
    this.#log.info({ ...logFields(session), request: requestId }, 'session opened');
    // Nothing would end a session that its token or its limits do not know of. Its client connects again.
    if (!isKnown) session.stop('transport_lost');
    return session;
  }

  #observer(refusals: SourceInUseLog): SessionObserver {
    return {
      mediaConnected: (session, mediaId) => {
        this.#byMediaId.set(mediaId, session);
        this.emit('connected', session);
      },
      mediaClosed: (mediaId) => void this.#byMediaId.delete(mediaId),
      waiting: (session) => void this.emit('waiting', session),
      resumed: (sessionId) => this.#open.get(sessionId)?.stop('replaced'),
      reported: (session, report, device) => void this.emit('reported', session, report, device),
      bitrateAbove: (session, bitrate, max) => void this.emit('bitrate-above', session, bitrate, max),
      overloaded: (session, isOverloaded) => void this.emit('overloaded', session, isOverloaded),
      sourceInUse: (grant) => refusals.sourceInUse(grant),
      ended: (session, reason) => this.#ended(session, reason),
    };
  }

  #ended(session: Session, endReason: SessionEndReason): void {
    if (!this.#open.delete(session.id)) return;
    this.#leaving.delete(session.id);
    this.emit('ended', session, endReason);
    const { code, reason } = endReason;
    this.#log.info({ ...logFields(session), code, reason }, 'session ended');
  }
}

function logFields({ id, streamId, grant: { role, tokenId } }: Session) {
  return { session: id, role, stream: streamId, tokenId };
}

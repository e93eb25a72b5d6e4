import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { ViewerReport } from '../../src/wire/websocket/viewer-report.js';
import type { StopCode } from '../../src/wire/websocket/stop-code.js';
import type { DeviceClass } from '../../src/wire/management/session.js';
import type { Grant, RequestContext } from '../admission/grant.js';
import type { EngineCapabilities } from '../media/engine/engine-capabilities.js';
import type { MediaEngine } from '../media/engine/media-engine.js';
import type { ConnectedMedia } from '../media/engine/media-session.js';
import type { Member } from '../streams/member.js';
import type { ClientEvent, StreamEvent } from '../streams/stream-event.js';
import { streamIdOf, type StreamId } from '../streams/stream-id.js';
import type { StreamRegistry } from '../streams/stream-registry.js';
import { endReasons, isDeclaredEnd, type SessionEndReason } from './session-end-reason.js';
import { SessionError } from './session-error.js';
import type { SessionEvents } from './session-events.js';
import {
  mayConnect,
  mediaOf,
  nextSessionState,
  sourceOf,
  type ClaimedSource,
  type SessionInput,
  type SessionState,
} from './session-state.js';
import { refusalNotice, stopNotice } from './stop-notice.js';

/** Follows what happens to sessions. */
export interface SessionObserver {
  /** The media engine connected the media of a session. */
  mediaConnected(session: Session, mediaId: string): void;
  mediaClosed(mediaId: string): void;
  /** A viewer waits for the stream: the media engine has no answer before. */
  waiting(session: Session): void;
  /** A viewer session resumed the session with this id. That session may still be open, and must not count as well. */
  resumed(sessionId: string): void;
  /** The client of a viewer reported what the visitor saw. */
  reported(session: Session, report: ViewerReport, device: DeviceClass): void;
  /** A publisher sends more than its account may. Bitrates in bit/s. */
  bitrateAbove(session: Session, bitrate: number, max: number): void;
  /** This server has too much to do for what a publisher sends, or no longer. */
  overloaded(session: Session, isOverloaded: boolean): void;
  /** A publisher was admitted and then found its source claimed. */
  sourceInUse(grant: Grant): void;
  ended(session: Session, reason: SessionEndReason): void;
}

/** What all sessions of a server share. */
export interface SessionContext {
  readonly engine: MediaEngine;
  /** What the engine can do for a stream. */
  readonly capabilitiesOf: (streamId: StreamId) => EngineCapabilities;
  readonly streams: StreamRegistry;
  readonly observer: SessionObserver;
  /** The seconds between two reports of a viewer. Undefined: none are wanted. */
  readonly reportSeconds: number | undefined;
}

/**
 * One admitted client: what publishers and viewers have in common, over any protocol. Its state (session-state.ts) determines
 * what the client may do. Only `apply` changes the state.
 */
export abstract class Session<Media extends ConnectedMedia = ConnectedMedia> implements Member {
  readonly id: string;
  readonly streamId: StreamId;
  protected readonly context: SessionContext;
  readonly #events: SessionEvents;
  #grant: Grant;
  #state: SessionState<Media> = { name: 'admitted' };

  constructor(grant: Grant, events: SessionEvents, context: SessionContext) {
    this.id = grant.sessionId;
    this.streamId = streamIdOf(grant.accountId, grant.streamName);
    this.#grant = grant;
    this.context = context;
    this.#events = events;
  }

  get grant(): Grant {
    return this.#grant;
  }

  get ended(): boolean {
    return this.#state.name === 'ended';
  }

  /** Whether the client asked for its media. */
  get mediaRequested(): boolean {
    return this.#state.name !== 'admitted';
  }

  /** The client was lost and its source is kept. */
  get suspended(): boolean {
    return this.#state.name === 'suspended';
  }

  protected get state(): SessionState<Media> {
    return this.#state;
  }

  /** Called once, when the session ends. */
  protected abstract leaveStream(): void;

  abstract send(event: StreamEvent): void;

  /** Media reaches the client now, or no longer. */
  reachabilityChanged(_reachable: boolean): void {}

  /** The client was admitted again from another page or address. Later decisions use these. */
  setRequestContext({ origin, address }: RequestContext): void {
    this.#grant = { ...this.#grant, origin, address };
  }

  /** Ends the session from the server's side. @param message for the client. Absent: the one of the code */
  stop(code: StopCode, message = stopNotice[code].message): void {
    const { closeCode } = stopNotice[code];
    this.#endWithNotice(code, { message, closeCode }, { name: 'ended' }, endReasons.stopped(code, message));
  }

  /** A rule refuses the session that it admitted before. */
  refuse(code: RuleRefusalCode): void {
    this.#endWithNotice(code, refusalNotice(code), { name: 'ended' }, endReasons.refused(code));
  }

  /** The media ended without a call that closed it. */
  mediaLost(code: 'transport_lost' | 'media_engine_restarted'): void {
    this.#endWithNotice(code, stopNotice[code], { name: 'lost' }, endReasons.stopped(code));
  }

  /** The connection to the client broke. */
  connectionLost(): void {
    this.apply({ name: 'lost' }, endReasons.unnoticed('lost'));
  }

  /** The client ended the session. */
  end(): void {
    this.apply({ name: 'ended' }, endReasons.unnoticed('left'));
  }

  /** Ends the session after its media could not be connected. */
  abandon(): void {
    this.apply({ name: 'ended' }, endReasons.unnoticed('not_connected'));
  }

  /**
   * Moves the media to another network path; see `MediaSession.renew`.
   * @returns the SDP answer
   * @throws {SessionError} `not_connected`, `session_ended` @throws {MediaError}
   */
  abstract renew(offer: string): Promise<string>;

  protected sendToClient(event: ClientEvent): void {
    if (!this.ended) this.#events.send(event);
  }

  /** The connected media. @throws {SessionError} `not_connected`, `session_ended` */
  protected get media(): Media {
    if (this.ended) throw sessionEnded('the session has ended');
    const media = mediaOf(this.#state);
    if (!media) throw new SessionError('not_connected', 'this session has no media yet');
    return media;
  }

  /** @throws {SessionError} `already_connected`, `session_ended` */
  protected requireConnectable(): void {
    if (this.ended) throw sessionEnded('the session has ended');
    if (!mayConnect(this.#state)) {
      throw new SessionError('already_connected', 'this session has its media already; open another session for more');
    }
  }

  /**
   * Connects the media. If the session ended in the meantime, the media is closed at once.
   * @param source the claimed source of a publisher
   * @throws {SessionError} `already_connected`, `session_ended`
   */
  protected async connect<Connected extends Media>(
    source: ClaimedSource | undefined,
    open: () => Promise<Connected>,
  ): Promise<Connected> {
    this.requireConnectable();
    this.apply({ name: 'connect', source });
    let media: Connected;
    try {
      media = await open();
    } catch (error) {
      this.apply({ name: 'failed' });
      throw error;
    }
    if (this.ended) {
      media.close();
      throw sessionEnded('the session ended before its media was connected');
    }
    this.apply({ name: 'connected', media });
    // It may end for that: a viewer who is one too many is displaced when the media connects.
    this.context.observer.mediaConnected(this, media.id);
    if (this.ended) throw sessionEnded('the session ended when its media was connected');
    return media;
  }

  /**
   * Changes the state and releases what the new state no longer has.
   * @param reason why the session ends, if it does
   */
  protected apply(input: SessionInput<Media>, reason = endReasons.unnoticed('not_connected')): void {
    const before = this.#state;
    const after = nextSessionState(before, input);
    if (after === before) return;
    this.#state = after;
    const { streams, observer } = this.context;
    if (sourceOf(before) && !sourceOf(after)) streams.release(this.streamId, this.id, isDeclaredEnd(reason));
    if (after.name === 'suspended' && before.name !== 'suspended') streams.holdLease(this.streamId, this.id);
    if (after.name !== 'ended') return;
    const media = mediaOf(before);
    if (media) {
      observer.mediaClosed(media.id);
      media.close();
    }
    this.leaveStream();
    observer.ended(this, reason);
  }

  /** Sends the notice first: a connection that is closed cannot send it. */
  #endWithNotice(
    code: StopCode | RuleRefusalCode,
    notice: { readonly message: string; readonly closeCode: number },
    input: SessionInput<Media>,
    reason: SessionEndReason,
  ): void {
    if (this.ended) return;
    const { streamId } = this;
    this.#events.stop({ streamId, code, ...notice, seq: this.context.streams.seqOf(streamId) });
    this.apply(input, reason);
  }
}

function sessionEnded(message: string): SessionError {
  return new SessionError('session_ended', message);
}

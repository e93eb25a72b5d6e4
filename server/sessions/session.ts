import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { StopCode } from '../../src/wire/websocket/stop-code.js';
import type { EnforcedSession } from '../admission/enforcement.js';
import type { Grant, RequestContext } from '../admission/grant.js';
import type { MediaEngine, MediaSession } from '../media/media-engine.js';
import type { Member } from '../streams/member.js';
import type { ClientEvent, StreamEvent } from '../streams/stream-event.js';
import { streamIdOf, type StreamRegistry } from '../streams/stream-registry.js';
import { endReasons, type SessionEndReason } from './session-end-reason.js';
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

/** What sessions work with, and share. */
export interface SessionContext {
  readonly engine: MediaEngine;
  readonly streams: StreamRegistry;
  /** Which session a connection of the media engine belongs to, by the connection's id. */
  readonly owners: Map<string, Session>;
  /** A session that is still open. */
  find(sessionId: string): Session | undefined;
  /** An admitted broadcaster found their source taken. */
  readonly onTaken: (grant: Grant) => void;
  readonly onEnd: (session: Session, ending: SessionEndReason) => void;
}

/**
 * One admitted caller: what publishers and viewers have in common, whatever way they came in. What it may do follows
 * from its state (session-state.ts), which changes in one place: `apply`.
 */
export abstract class Session<Media extends MediaSession = MediaSession> implements Member, EnforcedSession {
  readonly id: string;
  readonly streamId: string;
  protected readonly context: SessionContext;
  readonly #line: SessionEvents;
  #grant: Grant;
  #state: SessionState<Media> = { name: 'admitted' };

  constructor(grant: Grant, line: SessionEvents, context: SessionContext) {
    this.id = grant.sessionId;
    this.streamId = streamIdOf(grant.accountId, grant.streamName);
    this.#grant = grant;
    this.context = context;
    this.#line = line;
  }

  get grant(): Grant {
    return this.#grant;
  }

  get ended(): boolean {
    return this.#state.name === 'ended';
  }

  /** Whether the media was asked for. */
  get mediaRequested(): boolean {
    return this.#state.name !== 'admitted';
  }

  /** The client was lost, and its source is kept. */
  get suspended(): boolean {
    return this.#state.name === 'suspended';
  }

  protected get state(): SessionState<Media> {
    return this.#state;
  }

  /** Leaves the stream; called once. */
  protected abstract leaveStream(): void;

  abstract tell(news: StreamEvent): void;

  /** The engine can reach its peer, or no longer. */
  reachabilityChanged(_reachable: boolean): void {}

  /** The client was admitted again from another place, which counts from now on. */
  setRequestContext({ origin, address }: RequestContext): void {
    this.#grant = { ...this.#grant, origin, address };
  }

  stop(code: StopCode): void {
    this.#finish(code, stopNotice[code], { name: 'ended' }, endReasons.stopped(code));
  }

  /** A rule that admitted the session refuses it now. */
  refuse(reason: RuleRefusalCode): void {
    this.#finish(reason, refusalNotice(reason), { name: 'ended' }, endReasons.refused(reason));
  }

  /** The media is gone without anybody's wish. */
  mediaLost(code: 'transport_lost' | 'media_engine_restarted'): void {
    this.#finish(code, stopNotice[code], { name: 'lost' }, endReasons.stopped(code));
  }

  /** The connection to the client broke. */
  connectionLost(): void {
    this.apply({ name: 'lost' }, endReasons.untold('lost'));
  }

  /** The client left. */
  end(): void {
    this.apply({ name: 'ended' }, endReasons.untold('left'));
  }

  /** The caller could not be answered with media. */
  abandon(): void {
    this.apply({ name: 'ended' }, endReasons.untold('not_connected'));
  }

  /**
   * Moves the media to another network path; see `MediaSession.renew`.
   * @returns the SDP answer
   * @throws {SessionError} `not_connected`, `session_ended` @throws {MediaError}
   */
  renew(offer: string): Promise<string> {
    return this.media.renew(offer);
  }

  protected sendToClient(event: ClientEvent): void {
    if (!this.ended) this.#line.send(event);
  }

  /** The media, once it is connected. @throws {SessionError} `not_connected`, `session_ended` */
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
      throw new SessionError('already_connected', 'this session has its media already; open another for more');
    }
  }

  /**
   * Connects the media. Closes it at once if the session ended in the meantime.
   * @param source a publisher's, claimed
   * @throws {SessionError} `already_connected`, `session_ended`
   */
  protected async connect(source: ClaimedSource | undefined, open: () => Promise<Media>): Promise<Media> {
    this.requireConnectable();
    this.apply({ name: 'connect', source });
    let media: Media;
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
    this.context.owners.set(media.id, this);
    this.apply({ name: 'connected', media });
    return media;
  }

  /**
   * The one place where the state changes, and where what the next state no longer has is let go.
   * @param ending why, if the session ends by it
   */
  protected apply(input: SessionInput<Media>, ending = endReasons.untold('not_connected')): void {
    const before = this.#state;
    const after = nextSessionState(before, input);
    if (after === before) return;
    this.#state = after;
    const { streams, owners } = this.context;
    if (sourceOf(before) && !sourceOf(after)) streams.release(this.streamId, this.id);
    if (after.name === 'suspended' && before.name !== 'suspended') streams.holdLease(this.streamId, this.id);
    if (after.name !== 'ended') return;
    const media = mediaOf(before);
    if (media) {
      owners.delete(media.id);
      media.close();
    }
    this.leaveStream();
    this.context.onEnd(this, ending);
  }

  /** Says goodbye, before the line is let go of. */
  #finish(
    code: StopCode | RuleRefusalCode,
    notice: { readonly message: string; readonly closeCode: number },
    input: SessionInput<Media>,
    ending: SessionEndReason,
  ): void {
    if (this.ended) return;
    const { streamId } = this;
    this.#line.stop({ streamId, code, ...notice, seq: this.context.streams.seqOf(streamId) });
    this.apply(input, ending);
  }
}

function sessionEnded(message: string): SessionError {
  return new SessionError('session_ended', message);
}

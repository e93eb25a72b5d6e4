import type { Reason } from '../../src/wire/reason.js';
import type { StopReason } from '../../src/wire/stop-reason.js';
import type { EnforcedSession } from '../admission/enforcement.js';
import type { Grant } from '../admission/grant.js';
import type { MediaEngine, MediaSession } from '../media/media-engine.js';
import type { Member } from '../streams/member.js';
import type { StreamEvent, StreamNews } from '../streams/stream-event.js';
import { streamIdOf, type StreamRegistry } from '../streams/stream-registry.js';
import { SessionError } from './session-error.js';
import type { SessionLine } from './session-line.js';
import { refusalNotice, stopNotice } from './stop-notice.js';

/** What sessions work with, and share. */
export interface SessionContext {
  readonly engine: MediaEngine;
  readonly streams: StreamRegistry;
  /** Which session a connection of the media engine belongs to, by the connection's id. */
  readonly owners: Map<string, Session>;
  /** A session that is still open. */
  find(sessionId: string): Session | undefined;
  /** An admitted broadcaster found the source taken that he came for. */
  readonly onTaken: (grant: Grant) => void;
  readonly onEnd: (session: Session) => void;
}

/**
 * One admitted caller: what publishers and viewers have in common, whatever way they came in. It ends when the
 * caller goes (`end`), is lost for good (`lose`), or when somebody calls `stop` or `refuse`; whichever comes first.
 */
export abstract class Session<Media extends MediaSession = MediaSession> implements Member, EnforcedSession {
  readonly id: string;
  readonly streamId: string;
  readonly grant: Grant;
  protected readonly context: SessionContext;
  readonly #line: SessionLine;
  #media: Media | undefined;
  #connecting = false;
  #ended = false;

  constructor(grant: Grant, line: SessionLine, context: SessionContext) {
    this.id = grant.sessionId;
    this.streamId = streamIdOf(grant.accountId, grant.streamName);
    this.grant = grant;
    this.context = context;
    this.#line = line;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the media was asked for. */
  get begun(): boolean {
    return this.#connecting || this.#media !== undefined;
  }

  /** Leaves the stream; called once. */
  protected abstract depart(): void;

  abstract tell(news: StreamNews): void;

  /** The engine can reach its peer, or no longer. */
  reached(_reachable: boolean): void {}

  stop(reason: StopReason): void {
    if (this.#ended) return;
    this.#sayGoodbye(reason, stopNotice[reason]);
    this.end();
  }

  /** A rule that let it in says no now. */
  refuse(reason: Reason): void {
    if (this.#ended) return;
    this.#sayGoodbye(reason, refusalNotice(reason));
    this.end();
  }

  /** The media is gone without anybody's wish. */
  loseMedia(cause: 'transport_lost' | 'media_engine_restarted'): void {
    if (this.#ended) return;
    this.#sayGoodbye(cause, stopNotice[cause]);
    this.lose();
  }

  /** The caller is gone without a word. */
  lose(): void {
    this.end();
  }

  /**
   * Moves the media to another network path; see `MediaSession.renew`.
   * @returns the SDP answer
   * @throws {SessionError} `not_connected`, `session_ended` @throws {MediaError}
   */
  renew(offer: string): Promise<string> {
    return this.media.renew(offer);
  }

  /** The caller is gone or going: lets go of everything. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#media) {
      this.context.owners.delete(this.#media.id);
      this.#media.close();
    }
    this.depart();
    this.context.onEnd(this);
  }

  protected say(event: StreamEvent): void {
    if (!this.#ended) this.#line.tell(event);
  }

  /** The media, once it is connected. @throws {SessionError} `not_connected`, `session_ended` */
  protected get media(): Media {
    if (this.#ended) throw ended('the session has ended');
    if (!this.#media) throw new SessionError('not_connected', 'this session has no media yet');
    return this.#media;
  }

  /** Connects the media once, and closes it at once if the caller left in the meantime. */
  protected async connect(open: () => Promise<Media>): Promise<Media> {
    if (this.#ended) throw ended('the session has ended');
    if (this.begun) {
      throw new SessionError('already_connected', 'this session has its media already; open another for more');
    }
    this.#connecting = true;
    try {
      const media = await open();
      if (this.ended) {
        media.close();
        throw ended('the session ended before its media was connected');
      }
      this.#media = media;
      this.context.owners.set(media.id, this);
      return media;
    } finally {
      this.#connecting = false;
    }
  }

  #sayGoodbye(code: StopReason | Reason, notice: { readonly message: string; readonly closeCode: number }): void {
    const { streamId } = this;
    this.#line.stop({ streamId, code, ...notice, seq: this.context.streams.seqOf(streamId) });
  }
}

function ended(message: string): SessionError {
  return new SessionError('session_ended', message);
}

import type { Reason } from '../../src/wire/reason.js';
import type { StopReason } from '../../src/wire/stop-reason.js';
import type { EnforcedSession } from '../admission/enforcement.js';
import type { Grant } from '../admission/grant.js';
import type { MediaEngine, MediaSession } from '../media/media-engine.js';
import type { Member } from '../streams/member.js';
import type { StreamEvent } from '../streams/stream-event.js';
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
  readonly onEnd: (session: Session) => void;
}

/**
 * One admitted caller: what publishers and viewers have in common, whatever way they came in. It ends when the
 * caller goes (`end`), when the media is lost, or when somebody calls `stop` or `refuse`; whichever comes first.
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

  /** Leaves the stream; called once. */
  protected abstract depart(): void;

  tell(event: StreamEvent): void {
    if (!this.#ended) this.#line.tell(event);
  }

  stop(reason: StopReason): void {
    this.#stop(reason, stopNotice[reason]);
  }

  /** A rule that let it in says no now. */
  refuse(reason: Reason): void {
    this.#stop(reason, refusalNotice(reason));
  }

  /**
   * Moves the media to another network path; see `MediaSession.renew`.
   * @returns the SDP answer
   * @throws {SessionError} `not_connected` @throws {MediaError}
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

  /** The media, once it is connected. @throws {SessionError} `not_connected`, `session_ended` */
  protected get media(): Media {
    if (this.#ended) throw new SessionError('session_ended', 'the session has ended');
    if (!this.#media) throw new SessionError('not_connected', 'this session has no media yet');
    return this.#media;
  }

  /** Connects the media once, and closes it at once if the caller left in the meantime. */
  protected async connect(open: () => Promise<Media>): Promise<Media> {
    if (this.#ended) throw new SessionError('session_ended', 'the session has ended');
    if (this.#connecting || this.#media) {
      throw new SessionError('already_connected', 'this session has its media already; open another for more');
    }
    this.#connecting = true;
    try {
      const media = await open();
      if (this.ended) {
        media.close();
        throw new SessionError('session_ended', 'the session ended before its media was connected');
      }
      this.#media = media;
      this.context.owners.set(media.id, this);
      return media;
    } finally {
      this.#connecting = false;
    }
  }

  #stop(code: StopReason | Reason, { message, closeCode }: { message: string; closeCode: number }): void {
    if (this.#ended) return;
    this.#line.stop({ streamId: this.streamId, code, message, closeCode });
    this.end();
  }
}

import type { Logger } from 'pino';
import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { Enforcement } from '../admission/enforcement.js';
import type { Grant } from '../admission/grant.js';
import { catchErrors } from '../catch-errors.js';
import type { MediaEngine } from '../media/media-engine.js';
import type { StreamEvent } from '../streams/stream-event.js';
import { streamIdOf, type StreamRegistry } from '../streams/stream-registry.js';
import { PublisherSession } from './publisher-session.js';
import type { SessionEvents } from './session-events.js';
import type { SessionEndReason } from './session-end-reason.js';
import type { Session, SessionContext } from './session.js';
import { refusalNotice } from './stop-notice.js';
import { ViewerSession } from './viewer-session.js';

export interface SessionsDependencies {
  readonly engine: MediaEngine;
  readonly streams: StreamRegistry;
  readonly enforcement: Enforcement;
  /** Hears of a broadcaster who was let in and found his source taken. Must be quick. */
  readonly onTaken: (grant: Grant) => void;
  readonly log: Logger;
}

/** Everybody who is inside. Each way in opens its sessions here, so that one place watches over all of them. */
export class Sessions {
  readonly #enforcement: Enforcement;
  readonly #log: Logger;
  readonly #context: SessionContext;
  readonly #open = new Map<string, Session>();

  constructor({ engine, streams, enforcement, onTaken, log }: SessionsDependencies) {
    this.#enforcement = enforcement;
    this.#log = log;
    const owners = new Map<string, Session>();
    this.#context = {
      engine,
      streams,
      owners,
      find: (sessionId) => this.#open.get(sessionId),
      onTaken,
      onEnd: (session, ending) => this.#ended(session, ending),
    };
    const onFault = (err: unknown) => log.error({ err }, 'a session could not follow the media engine');
    engine.on(
      'session-lost',
      catchErrors(onFault, (mediaId, cause) => owners.get(mediaId)?.mediaLost(cause)),
    );
    engine.on(
      'reachable',
      catchErrors(onFault, (mediaId, reachable) => owners.get(mediaId)?.reachabilityChanged(reachable)),
    );
  }

  /**
   * The session of a grant. Whoever opened it calls `end` or `lose` when the caller is gone. It may have `ended`
   * already: the token may have changed since the grant was made, and then the line was told so.
   */
  open(grant: Grant, line: SessionEvents): PublisherSession | ViewerSession {
    const { tokenId } = grant;
    return grant.role === 'Publish' && tokenId !== null
      ? this.openPublisher({ ...grant, tokenId }, line)
      : this.openViewer(grant, line);
  }

  /** As `open`, for a grant that is known to be a publisher's. */
  openPublisher(grant: Grant & { tokenId: number }, line: SessionEvents): PublisherSession {
    return this.#begin(new PublisherSession(grant, line, this.#context));
  }

  /** As `open`, for a grant that is known to be a viewer's. */
  openViewer(grant: Grant, line: SessionEvents): ViewerSession {
    return this.#begin(new ViewerSession(grant, line, this.#context));
  }

  /** Tells somebody why no session was opened for their grant. */
  refuse({ accountId, streamName }: Grant, line: SessionEvents, reason: RuleRefusalCode): void {
    const streamId = streamIdOf(accountId, streamName);
    line.stop({ streamId, code: reason, ...refusalNotice(reason), seq: this.#context.streams.seqOf(streamId) });
  }

  /** The server stops: who can go elsewhere is told to, and then every session ends. */
  close(): void {
    const { streams } = this.#context;
    const migrations = new Map<string, StreamEvent | undefined>();
    for (const session of Array.from(this.#open.values())) {
      const { streamId } = session;
      if (!migrations.has(streamId)) migrations.set(streamId, streams.migrateEvent(streamId));
      const migration = migrations.get(streamId);
      if (migration) session.tell(migration);
      session.stop('server_stopping');
    }
  }

  #begin<Opened extends Session>(session: Opened): Opened {
    const verdict = this.#enforcement.begin(session);
    if (!verdict.allowed) {
      session.refuse(verdict.reason);
      return session;
    }
    this.#open.set(session.id, session);
    this.#log.info(named(session), 'session opened');
    return session;
  }

  #ended(session: Session, ending: SessionEndReason): void {
    if (!this.#open.delete(session.id)) return;
    this.#enforcement.end(session);
    const { code, reason } = ending;
    this.#log.info({ ...named(session), code, reason }, 'session ended');
  }
}

function named({ id, streamId, grant: { role, tokenId } }: Session) {
  return { session: id, role, stream: streamId, tokenId };
}

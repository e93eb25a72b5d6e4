import type { ViewRequest } from '../../src/wire/websocket/view-request.js';
import type { GrantLedger } from '../admission/grant-ledger.js';
import { GRANT_LIFETIME_S, type Grant } from '../admission/grant.js';
import type { ResumeTokens } from '../admission/resume-tokens.js';
import { after } from '../faults/timers.js';
import type { ClientEvent } from '../streams/stream-event.js';
import { connectViewer, type ViewAnswer } from './connect-viewer.js';
import { sessionApiError, stopApiError } from './session-error.js';
import { SessionOutbox } from './session-events.js';
import type { Sessions } from './sessions.js';
import type { UnconnectedSessions } from './unconnected-sessions.js';
import type { ViewerSession } from './viewer-session.js';

/** Media flows without the websocket, but a viewer that receives no events for longer than this is taken for gone. */
const SOCKET_WITHIN_MS = 15_000;

/** A session that has its media and waits for its websocket. */
export interface PendingSession {
  readonly session: ViewerSession;
  readonly outbox: SessionOutbox;
}

/** The answer to `view`, with everything that is true of the stream. */
export interface StartedViewing extends ViewAnswer {
  readonly events: readonly ClientEvent[];
}

export interface PendingSessionsDependencies {
  readonly sessions: Sessions;
  readonly unconnected: Pick<UnconnectedSessions, 'requireRoom'>;
  /** The grants that were used; see `GrantRedemption`. */
  readonly ledger: GrantLedger;
  readonly resumeTokens: ResumeTokens;
  readonly now: () => number;
}

/**
 * Starts viewer sessions with the director's call, before their websocket. The websocket is let in by the same grant and
 * continues the session. A session whose websocket does not connect in time ends.
 */
export class PendingSessions {
  readonly #dependencies: PendingSessionsDependencies;
  readonly #waiting = new Map<string, PendingSession & { readonly deadline: NodeJS.Timeout }>();

  constructor(dependencies: PendingSessionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether a viewer can start now. Otherwise it waits on a websocket, because the director's call ends. */
  canStart(grant: Grant): boolean {
    return this.#dependencies.sessions.answersAtOnce(grant);
  }

  /**
   * @param caller the request, and whether its client closed the connection in the meantime
   * @throws {ApiError} what the session or its media refuses
   */
  async start(
    grant: Grant,
    request: ViewRequest,
    { requestId, isGone }: { readonly requestId: string; isGone(): boolean },
  ): Promise<StartedViewing> {
    const { sessions, unconnected, ledger, resumeTokens, now } = this.#dependencies;
    unconnected.requireRoom(grant.address);
    ledger.spend(grant.sessionId, now() + GRANT_LIFETIME_S * 1000, now());
    const outbox = new SessionOutbox();
    const session = sessions.openViewer(grant, outbox, { protocol: 'websocket', requestId });
    try {
      const answer = await connectViewer(session, request, () => resumeTokens.issue(grant, now()));
      outbox.selectEvents(request.events);
      session.startEvents();
      if (outbox.stopped) throw stopApiError(outbox.stopped);
      if (isGone()) session.end();
      else this.#wait({ session, outbox });
      return { ...answer, events: outbox.takeBuffered() };
    } catch (error) {
      session.abandon();
      throw outbox.stopped ? stopApiError(outbox.stopped) : sessionApiError(error);
    }
  }

  /** Removes the session whose websocket has connected. It may have been stopped: the websocket then receives the notice. */
  take(sessionId: string): PendingSession | undefined {
    const pending = this.#waiting.get(sessionId);
    clearTimeout(pending?.deadline);
    this.#waiting.delete(sessionId);
    return pending;
  }

  #wait(pending: PendingSession): void {
    const { session } = pending;
    const deadline = after('sessions', SOCKET_WITHIN_MS, () => {
      this.#waiting.delete(session.id);
      session.connectionLost();
    }).unref();
    this.#waiting.set(session.id, { ...pending, deadline });
  }
}

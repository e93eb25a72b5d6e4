import type { ViewRequest } from '../../src/wire/websocket/view-request.js';
import type { Grant } from '../admission/grant.js';
import { catchErrors } from '../catch-errors.js';
import { sessionApiError, stopApiError } from '../sessions/session-api-error.js';
import type { Sessions } from '../sessions/sessions.js';
import type { ViewerSession } from '../sessions/viewer-session.js';
import { SignallingConnection } from './signalling-connection.js';
import { view } from './viewer-commands.js';

/** Media needs no websocket to begin with. But a viewer who hears of no event for longer is no viewer. */
const SOCKET_WITHIN_MS = 15_000;

/** A session that has its media, and a channel without a socket yet. */
export interface PendingSession {
  readonly session: ViewerSession;
  readonly channel: SignallingConnection;
}

/** Sessions that the director's call began, until their websocket comes. Those whose never does end. */
export class PendingSessions {
  readonly #sessions: Sessions;
  readonly #onFault: (error: unknown) => void;
  readonly #waiting = new Map<string, PendingSession & { readonly deadline: NodeJS.Timeout }>();

  /** @param onFault hears of a session that could not be ended. Must not throw */
  constructor(sessions: Sessions, onFault: (error: unknown) => void) {
    this.#sessions = sessions;
    this.#onFault = onFault;
  }

  /**
   * @param isGone whether the caller hung up meanwhile
   * @returns what `view` answers, and `events`: what is true of the stream
   * @throws {ApiError} what the session or its media refuses
   */
  async start(grant: Grant, request: ViewRequest, resumeToken: () => string, isGone: () => boolean): Promise<object> {
    const channel = new SignallingConnection();
    const session = this.#sessions.openViewer(grant, channel);
    try {
      const { data, afterReply } = await view(session, channel, request, resumeToken);
      afterReply();
      if (channel.stopped) throw stopApiError(channel.stopped);
      if (isGone()) session.end();
      else this.#wait({ session, channel });
      return { ...data, events: channel.takeBuffered().map(({ name, seq, data }) => ({ name, seq, data })) };
    } catch (error) {
      session.abandon();
      throw channel.stopped ? stopApiError(channel.stopped) : sessionApiError(error);
    }
  }

  /** The socket of this session has come. One that was stopped meanwhile is here, too: its client is to hear why. */
  take(sessionId: string): PendingSession | undefined {
    const begun = this.#waiting.get(sessionId);
    clearTimeout(begun?.deadline);
    this.#waiting.delete(sessionId);
    return begun;
  }

  #wait(begun: PendingSession): void {
    const { session } = begun;
    const giveUp = catchErrors(this.#onFault, () => {
      this.#waiting.delete(session.id);
      session.connectionLost();
    });
    const deadline = setTimeout(giveUp, SOCKET_WITHIN_MS).unref();
    this.#waiting.set(session.id, { ...begun, deadline });
  }
}

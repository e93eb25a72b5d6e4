import type { ViewRequest } from '../../src/wire/view-request.js';
import type { Grant } from '../admission/grant.js';
import { contained } from '../contained.js';
import { sessionRefusal, stoppedEarly } from '../sessions/session-refusal.js';
import type { Sessions } from '../sessions/sessions.js';
import type { ViewerSession } from '../sessions/viewer-session.js';
import { Channel } from './channel.js';
import { view } from './viewer-commands.js';

/** Media needs no websocket to begin with. But a viewer who hears of no event for longer is no viewer. */
const SOCKET_WITHIN_MS = 15_000;

/** A session that has its media, and a channel without a socket yet. */
export interface BegunSession {
  readonly session: ViewerSession;
  readonly channel: Channel;
}

/** Sessions that the director's call began, until their websocket comes. Those whose never does end. */
export class BegunSessions {
  readonly #sessions: Sessions;
  readonly #onFault: (error: unknown) => void;
  readonly #waiting = new Map<string, BegunSession & { readonly deadline: NodeJS.Timeout }>();

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
  async begin(grant: Grant, request: ViewRequest, resumeToken: () => string, isGone: () => boolean): Promise<object> {
    const channel = new Channel();
    const session = this.#sessions.openViewer(grant, channel);
    try {
      const { data, afterwards } = await view(session, channel, request, resumeToken);
      afterwards();
      if (channel.stopped) throw stoppedEarly(channel.stopped);
      if (isGone()) session.end();
      else this.#wait({ session, channel });
      return { ...data, events: channel.takeKept().map(({ name, seq, data }) => ({ name, seq, data })) };
    } catch (error) {
      session.giveUp();
      throw channel.stopped ? stoppedEarly(channel.stopped) : sessionRefusal(error);
    }
  }

  /** The socket of this session has come. One that was stopped meanwhile is here, too: its client is to hear why. */
  take(sessionId: string): BegunSession | undefined {
    const begun = this.#waiting.get(sessionId);
    clearTimeout(begun?.deadline);
    this.#waiting.delete(sessionId);
    return begun;
  }

  #wait(begun: BegunSession): void {
    const { session } = begun;
    const giveUp = contained(this.#onFault, () => {
      this.#waiting.delete(session.id);
      session.lose();
    });
    const deadline = setTimeout(giveUp, SOCKET_WITHIN_MS).unref();
    this.#waiting.set(session.id, { ...begun, deadline });
  }
}

import type { ViewerSession } from '../sessions/viewer-session.js';
import type { Channel } from './channel.js';

/** Media needs no websocket to begin with. But a viewer who hears of no event for longer is no viewer. */
const SOCKET_WITHIN_MS = 15_000;

/** A session that has its media, and a channel without a socket yet. */
export interface BegunSession {
  readonly session: ViewerSession;
  readonly channel: Channel;
}

/** Sessions that the director's call began, until their websocket comes. Those whose never does end. */
export class BegunSessions {
  readonly #waiting = new Map<string, BegunSession & { readonly deadline: NodeJS.Timeout }>();

  wait(begun: BegunSession): void {
    const { session } = begun;
    const deadline = setTimeout(() => {
      this.#waiting.delete(session.id);
      session.end();
    }, SOCKET_WITHIN_MS).unref();
    this.#waiting.set(session.id, { ...begun, deadline });
  }

  /** The socket of this session has come. One that was stopped meanwhile is here, too: its client is to hear why. */
  take(sessionId: string): BegunSession | undefined {
    const begun = this.#waiting.get(sessionId);
    clearTimeout(begun?.deadline);
    this.#waiting.delete(sessionId);
    return begun;
  }

  has(sessionId: string): boolean {
    return this.#waiting.has(sessionId);
  }
}

import { randomBytes } from 'node:crypto';
import type { Grant } from '../admission/grant.js';
import { NotFoundError } from '../errors.js';
import type { PublishOptions, ViewOptions } from '../media/media-engine.js';
import type { PublisherSession } from '../sessions/publisher-session.js';
import type { StopNotice } from '../sessions/session-events.js';
import { sessionApiError, stopApiError } from '../sessions/session-api-error.js';
import type { Sessions } from '../sessions/sessions.js';
import type { ViewerSession } from '../sessions/viewer-session.js';
import { iceCredentialsOf, type IceCredentials } from './sdp-fragment.js';
import { WhepEventStreams } from './whep-event-streams.js';

interface Opened {
  /** Nobody can guess it: whoever has the session's URL may end the session. */
  readonly key: string;
  readonly answer: string;
  /** Names the ICE session, of which there is one for as long as the session lives. */
  readonly entityTag: string;
  readonly ice: IceCredentials;
}

/** A broadcaster's session, opened by WHIP. */
export interface WhipSession extends Opened {
  readonly protocol: 'WHIP';
  readonly session: PublisherSession;
}

/** A viewer's session, opened by WHEP. */
export interface WhepSession extends Opened {
  readonly protocol: 'WHEP';
  readonly session: ViewerSession;
  readonly line: WhepEventStreams;
}

export type IngestSession = WhipSession | WhepSession;

/** The sessions that have a URL. One leaves when its client ends it, and when anything else does. */
export class IngestSessions {
  readonly #sessions: Sessions;
  readonly #byKey = new Map<string, IngestSession>();

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** @throws {ApiError} what the session or its media refuses */
  async publish(grant: Grant & { tokenId: number }, offer: string, options: PublishOptions): Promise<WhipSession> {
    const key = newKey();
    const stopped = this.#leaving(key);
    const session = this.#sessions.openPublisher(grant, { send() {}, stop: stopped.note });
    const answer = await this.#connected(session, stopped, () => session.publish(offer, options));
    const opened = { ...described(key, offer, answer), protocol: 'WHIP', session } as const;
    this.#byKey.set(key, opened);
    return opened;
  }

  /** @throws {ApiError} what the session or its media refuses */
  async view(grant: Grant, offer: string, options: ViewOptions): Promise<WhepSession> {
    const key = newKey();
    const stopped = this.#leaving(key);
    const line = new WhepEventStreams(stopped.note);
    const session = this.#sessions.openViewer(grant, line);
    const answer = await this.#connected(session, stopped, () => session.view(offer, options));
    session.startEvents();
    const opened = { ...described(key, offer, answer), protocol: 'WHEP', session, line } as const;
    this.#byKey.set(key, opened);
    return opened;
  }

  /** @throws {NotFoundError} `session_not_found` */
  find(key: string): IngestSession {
    const found = this.#byKey.get(key);
    if (!found) throw new NotFoundError('session_not_found', 'There is no such session, or no longer');
    return found;
  }

  /** As its client wishes. */
  end(ending: IngestSession): void {
    this.#byKey.delete(ending.key);
    if (ending.protocol === 'WHEP') ending.line.closeAll();
    ending.session.end();
  }

  /** The answer that `connect` brings; the session is over when it brings none. */
  async #connected(
    session: PublisherSession | ViewerSession,
    stopped: Leaving,
    connect: () => Promise<string>,
  ): Promise<string> {
    try {
      const answer = await connect();
      if (stopped.notice) throw stopApiError(stopped.notice);
      return answer;
    } catch (error) {
      session.abandon();
      throw stopped.notice ? stopApiError(stopped.notice) : sessionApiError(error);
    }
  }

  /** Forgets the session of this key when it is stopped, and keeps why. */
  #leaving(key: string): Leaving {
    const leaving: Leaving = {
      notice: undefined,
      note: (notice) => {
        leaving.notice = notice;
        this.#byKey.delete(key);
      },
    };
    return leaving;
  }
}

interface Leaving {
  notice: StopNotice | undefined;
  readonly note: (notice: StopNotice) => void;
}

function newKey(): string {
  return randomBytes(24).toString('base64url');
}

function described(key: string, offer: string, answer: string): Opened {
  return { key, answer, entityTag: randomBytes(9).toString('base64url'), ice: iceCredentialsOf(offer) };
}

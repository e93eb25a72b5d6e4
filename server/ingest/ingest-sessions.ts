import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Admission } from '../admission/admission.js';
import type { Grant } from '../admission/grant.js';
import type { IceServers } from '../admission/ice-servers.js';
import { NotFoundError } from '../errors.js';
import type { ClientAddress } from '../http/request/client-address.js';
import type { RequestTurn } from '../http/request/request-turn.js';
import type { PublishOptions, ViewOptions } from '../media/engine/media-session.js';
import type { Entrance } from '../sessions/entrance.js';
import type { PublisherSession } from '../sessions/publisher-session.js';
import { sessionApiError, stopApiError } from '../sessions/session-error.js';
import type { Sessions } from '../sessions/sessions.js';
import type { StopNotice } from '../sessions/stop-notice.js';
import type { UnconnectedSessions } from '../sessions/unconnected-sessions.js';
import type { ViewerSession } from '../sessions/viewer-session.js';
import type { StreamPlaces } from '../streams/stream-places.js';
import { iceCredentialsOf, type IceCredentials } from './sdp-fragment.js';
import { WhepEventStreams } from './whep-event-streams.js';

/** What the routes of WHIP and WHEP need. */
export interface IngestDependencies {
  readonly admission: Pick<Admission, 'admit'>;
  readonly sessions: IngestSessions;
  readonly iceServers: IceServers;
  readonly clientAddress: ClientAddress;
  readonly places: StreamPlaces;
  readonly entrance: Pick<Entrance, 'requireOpen'>;
  readonly turn: RequestTurn;
  readonly now: () => number;
  readonly log: Logger;
}

interface OpenedSession {
  /** The last segment of the session's URL. It cannot be guessed, because every client that knows the URL can end the session. */
  readonly key: string;
  readonly answer: string;
  /** Identifies the ICE session. A session has one ICE session for its whole life. */
  readonly entityTag: string;
  readonly ice: IceCredentials;
}

/** The session of a publisher over WHIP. */
export interface WhipSession extends OpenedSession {
  readonly protocol: 'WHIP';
  readonly session: PublisherSession;
}

/** The session of a viewer over WHEP. */
export interface WhepSession extends OpenedSession {
  readonly protocol: 'WHEP';
  readonly session: ViewerSession;
  readonly eventStreams: WhepEventStreams;
}

export type IngestSession = WhipSession | WhepSession;

interface OfferRequest {
  readonly offer: string;
  readonly requestId: string;
}

/** All open sessions of WHIP and WHEP, by the key in their URL. */
export class IngestSessions {
  readonly #sessions: Sessions;
  readonly #unconnected: Pick<UnconnectedSessions, 'requireRoom'>;
  readonly #byKey = new Map<string, IngestSession>();

  constructor(sessions: Sessions, unconnected: Pick<UnconnectedSessions, 'requireRoom'>) {
    this.#sessions = sessions;
    this.#unconnected = unconnected;
  }

  /** @throws {ApiError} what the session or its media refuses; 429 `network_busy` */
  async publish(
    grant: Grant & { tokenId: number },
    { offer, requestId, ...options }: PublishOptions & OfferRequest,
  ): Promise<WhipSession> {
    this.#unconnected.requireRoom(grant.address);
    const key = newKey();
    const stop = this.#stopRecord(key);
    const session = this.#sessions.openPublisher(
      grant,
      { send() {}, stop: stop.onStop },
      { protocol: 'whip', requestId },
    );
    const answer = await this.#connect(session, stop, () => session.publish(offer, options));
    const opened = { ...openedSession(key, offer, answer), protocol: 'WHIP', session } as const;
    this.#byKey.set(key, opened);
    return opened;
  }

  /** @throws {ApiError} what the session or its media refuses; 429 `network_busy` */
  async view(grant: Grant, { offer, requestId, ...options }: ViewOptions & OfferRequest): Promise<WhepSession> {
    this.#unconnected.requireRoom(grant.address);
    const key = newKey();
    const stop = this.#stopRecord(key);
    const eventStreams = new WhepEventStreams(stop.onStop);
    const session = this.#sessions.openViewer(grant, eventStreams, { protocol: 'whep', requestId });
    // The clients of WHEP report nothing but RTCP.
    const networkEveryMs = session.reportSeconds === undefined ? undefined : session.reportSeconds * 1000;
    const answer = await this.#connect(session, stop, async () => {
      const { sdp } = await session.view(offer, { ...options, networkEveryMs });
      return sdp;
    });
    session.startEvents();
    const opened = { ...openedSession(key, offer, answer), protocol: 'WHEP', session, eventStreams } as const;
    this.#byKey.set(key, opened);
    return opened;
  }

  /** Whether a viewer is answered at once, as HTTP needs it. */
  answersAtOnce(grant: Grant): boolean {
    return this.#sessions.answersAtOnce(grant);
  }

  /** @throws {NotFoundError} `session_not_found` */
  find(key: string): IngestSession {
    const found = this.#byKey.get(key);
    if (!found) throw new NotFoundError('session_not_found', 'This session does not exist or has ended');
    return found;
  }

  /** The client ends its session. */
  end(ending: IngestSession): void {
    this.#byKey.delete(ending.key);
    if (ending.protocol === 'WHEP') ending.eventStreams.closeAll();
    ending.session.end();
  }

  /** @returns the SDP answer. Ends the session if there is none. */
  async #connect(
    session: PublisherSession | ViewerSession,
    stop: StopRecord,
    connect: () => Promise<string>,
  ): Promise<string> {
    try {
      const answer = await connect();
      if (stop.notice) throw stopApiError(stop.notice);
      return answer;
    } catch (error) {
      session.abandon();
      throw stop.notice ? stopApiError(stop.notice) : sessionApiError(error);
    }
  }

  /** Removes the session when it is stopped and keeps the notice. */
  #stopRecord(key: string): StopRecord {
    const record: StopRecord = {
      notice: undefined,
      onStop: (notice) => {
        record.notice = notice;
        this.#byKey.delete(key);
      },
    };
    return record;
  }
}

interface StopRecord {
  notice: StopNotice | undefined;
  readonly onStop: (notice: StopNotice) => void;
}

function newKey(): string {
  return randomBytes(24).toString('base64url');
}

function openedSession(key: string, offer: string, answer: string): OpenedSession {
  return { key, answer, entityTag: randomBytes(9).toString('base64url'), ice: iceCredentialsOf(offer) };
}

import { attempt } from '../../../faults/contain.js';
import { MediaError } from '../../engine/media-error.js';
import type { MediaSession } from '../../engine/media-session.js';
import type { AnsweredMedia } from '../../sdp/answer.js';
import type { Offer } from '../../sdp/offer.js';
import { PeerSession, type PeerSessionHandler, type PeerSessionHost } from './peer-session.js';

/** A `MediaSession` in the process of its worker, where offers come that the server has read. */
export interface PeerMediaSession extends Omit<MediaSession, 'renew'> {
  /** As `MediaSession.renew`. */
  renew(offer: Offer): Promise<string>;
}

/** The peer connections of an engine, until it closes. */
export class PeerSessionSet {
  readonly #host: PeerSessionHost;
  readonly #sessions = new Set<PeerSession>();
  #isClosed = false;

  constructor(host: PeerSessionHost) {
    this.#host = host;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** @throws {MediaError} `engine_unavailable` after `close` */
  mustBeOpen(): void {
    if (this.#isClosed) throw new MediaError('engine_unavailable', 'the media engine is closed');
  }

  /** @throws {MediaError} `engine_unavailable`: the session has ended */
  mustHave(session: PeerSession): void {
    if (!this.#sessions.has(session)) throw new MediaError('engine_unavailable', 'the session has ended');
  }

  /** A session with this media. `start` connects it. */
  create(media: readonly AnsweredMedia[]): PeerSession {
    const session = new PeerSession(this.#host, media);
    this.#sessions.add(session);
    return session;
  }

  /** @throws {MediaError} as `PeerSession.start`, or `engine_unavailable`: closed in the meantime */
  async start(session: PeerSession, offer: Offer, handler: PeerSessionHandler): Promise<PeerMediaSession> {
    try {
      const answer = await session.start(offer, handler);
      this.mustBeOpen();
      return {
        id: session.id,
        answer,
        renew: (next) => session.renew(next),
        close: () => attempt('media', () => session.close()),
      };
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** To be called when the session has closed. */
  remove(session: PeerSession): void {
    this.#sessions.delete(session);
  }

  /** Closes every session. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#sessions].map((session) => session.close()));
  }
}

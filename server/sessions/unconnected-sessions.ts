import { FairPlaces } from '../addresses/fair-places.js';
import { attempt } from '../faults/contain.js';
import { ApiError } from '../errors.js';
import type { MediaEngine } from '../media/engine/media-engine.js';
import { PublisherSession } from './publisher-session.js';
import type { Session } from './session.js';
import type { Sessions } from './sessions.js';

/**
 * On this server. Each costs some 100 kB in its media process and 20 kB here. A server accepts some hundred sessions a
 * second, and media connects within some tenths of a second, so honest people have a tenth of the places at a time.
 */
const MOST = 500;
/** A network of thousands of viewers has some tens at a time: media connects within some tenths of a second. */
export const MOST_OF_NETWORK = 200;
/** A session that has tried for so long gives its place to another one of its network. */
export const PATIENCE_MS = 5_000;

export interface UnconnectedSessionsOptions {
  /** The monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/**
 * Limits the sessions whose media has not connected yet, by network: whoever has a token or a live stream without one
 * can open any number, and never answer. Sessions that have connected are not counted, nor viewers who wait for a
 * stream that an upstream carries: their media is connected when it begins.
 */
export class UnconnectedSessions {
  readonly #options: UnconnectedSessionsOptions;
  readonly #places = new FairPlaces<Session>(MOST);
  readonly #since = new WeakMap<Session, number>();

  constructor(options: UnconnectedSessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#places.size;
  }

  /**
   * Call before a session is opened for a client.
   * @param address of the client, in canonical form
   * @throws {ApiError} 429 `network_busy`, with Retry-After in seconds
   */
  requireRoom(address: string): void {
    const waitMs = this.#waitMs(address);
    if (waitMs <= 0) return;
    const seconds = Math.ceil(waitMs / 1_000);
    throw new ApiError(
      429,
      'network_busy',
      `Too many players and encoders of your network are connecting; try again in ${seconds} s`,
      { headers: { 'retry-after': String(seconds) } },
    );
  }

  follow(sessions: Sessions, engine: Pick<MediaEngine, 'on'>): void {
    const release = (session: Session): void => void this.#places.release(session);
    sessions.on('opened', (session, protocol) => {
      // Its media comes over the connection that it has.
      if (protocol !== 'rtmp') this.#add(session);
    });
    sessions.on('reachable', (session, isReachable) => isReachable && release(session));
    sessions.on('waiting', release);
    sessions.on('ended', release);
    engine.on('live', (streamId, sourceId) => {
      for (const session of this.#places.holders()) {
        const isIt = session instanceof PublisherSession && session.sourceId === sourceId;
        if (isIt && session.streamId === streamId) release(session);
      }
    });
  }

  #waitMs(address: string): number {
    if (this.#places.countOf(address) < MOST_OF_NETWORK) return 0;
    const oldest = this.#places.oldestOf(address);
    return oldest ? (this.#since.get(oldest) ?? 0) + PATIENCE_MS - this.#options.now() : 0;
  }

  #add(session: Session): void {
    const { address } = session.grant;
    const oldest = this.#places.countOf(address) < MOST_OF_NETWORK ? undefined : this.#places.oldestOf(address);
    this.#since.set(session, this.#options.now());
    for (const loser of [oldest, this.#places.take(address, session)]) if (loser) this.#end(loser);
  }

  #end(session: Session): void {
    this.#places.release(session);
    const end = () => (session.mediaRequested ? session.mediaLost('transport_lost') : session.stop('idle'));
    attempt('sessions', end, { of: { session: session.id } });
  }
}

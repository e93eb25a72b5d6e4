import type { StopReason } from '../../src/wire/stop-reason.js';
import type { StreamNews } from './stream-event.js';

/** Somebody with a session on a stream, as the stream sees him. */
export interface Member {
  /** 32 hex digits. */
  readonly id: string;
  /** Delivers, or does nothing where the other side is gone or did not ask for this. Never throws. */
  tell(news: StreamNews): void;
  /** Ends the session from our side and tells why. */
  stop(reason: StopReason): void;
}

export interface Viewer extends Member {
  readonly role: 'Subscribe';
  /** Media gets through to him. */
  readonly reachable: boolean;
}

export interface Publisher extends Member {
  readonly role: 'Publish';
  /** What the same broadcaster shows to take his place back. */
  readonly sessionKey: string;
  /** The publish token that admitted him. */
  readonly tokenId: number;
  /** He knows how to take his place back: when he is lost, it is kept for him for a while. */
  readonly resumable: boolean;
  /** He was lost, and his place is kept. */
  readonly suspended: boolean;
  /** This session takes the place of `before`, which the same broadcaster had. */
  succeed(before: Publisher): void;
  /** Nobody came back for his place in time. */
  lapse(): void;
}

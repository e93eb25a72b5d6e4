import type { StopCode } from '../../src/wire/websocket/stop-code.js';
import type { StreamEvent } from './stream-event.js';

/** Somebody with a session on a stream, as the stream sees him. */
export interface Member {
  /** 32 hex digits. */
  readonly id: string;
  /** Delivers, or does nothing where the other side is gone or did not ask for this. Never throws. */
  tell(news: StreamEvent): void;
  /** Ends the session from our side and tells why. */
  stop(reason: StopCode): void;
}

export interface Viewer extends Member {
  readonly role: 'Subscribe';
  /** Media gets through to him. */
  readonly reachable: boolean;
}

export interface Publisher extends Member {
  readonly role: 'Publish';
  /** What the same broadcaster shows to take its source back. */
  readonly sessionKey: string;
  /** The publish token that admitted it. */
  readonly tokenId: number;
  /** It was lost, and its source is kept. */
  readonly suspended: boolean;
  /** Nobody came back for the source in time. */
  leaseExpired(): void;
}

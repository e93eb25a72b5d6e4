import type { StopReason } from '../../src/wire/stop-reason.js';
import type { StreamEvent } from './stream-event.js';

/** Somebody with a session on a stream, as the stream sees him. */
export interface Member {
  /** 32 hex digits. */
  readonly id: string;
  /** Delivers, or does nothing where the other side is gone or did not ask for this event. Never throws. */
  tell(event: StreamEvent): void;
  /** Ends the session from our side and tells why. */
  stop(reason: StopReason): void;
}

export interface Viewer extends Member {
  readonly role: 'Subscribe';
}

export interface Publisher extends Member {
  readonly role: 'Publish';
  /** What the same broadcaster shows to take his place back. */
  readonly sessionKey: string;
  /** The publish token that admitted him. */
  readonly tokenId: number;
}

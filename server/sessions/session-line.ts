import type { Reason } from '../../src/wire/reason.js';
import type { StopReason } from '../../src/wire/stop-reason.js';
import type { StreamEvent } from '../streams/stream-event.js';

/** What a client is told when we end its session. */
export interface StopNotice {
  readonly streamId: string;
  readonly code: StopReason | Reason;
  readonly message: string;
  /** For lines that close with a number (RFC 6455 7.4.2). */
  readonly closeCode: number;
  /** That of the newest event of the stream; see `StreamEvent`. */
  readonly seq: number;
}

/** What a session reaches its client by: a websocket, server-sent events, or nothing. Neither call throws. */
export interface SessionLine {
  tell(event: StreamEvent): void;
  /** The session is over, from our side. */
  stop(notice: StopNotice): void;
}

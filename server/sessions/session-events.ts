import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { StopCode } from '../../src/wire/websocket/stop-code.js';
import type { ClientEvent } from '../streams/stream-event.js';

/** What a client is told when we end its session. */
export interface StopNotice {
  readonly streamId: string;
  readonly code: StopCode | RuleRefusalCode;
  readonly message: string;
  /** For lines that close with a number (RFC 6455 7.4.2). */
  readonly closeCode: number;
  /** That of the newest event of the stream; see `StreamEvent`. */
  readonly seq: number;
}

/** What a session reaches its client by: a websocket, server-sent events, or nothing. Neither call throws. */
export interface SessionEvents {
  send(event: ClientEvent): void;
  /** The session is over, from our side. */
  stop(notice: StopNotice): void;
}

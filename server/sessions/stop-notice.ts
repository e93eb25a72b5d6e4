import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { StopCode } from '../../src/wire/websocket/stop-code.js';
import { denialMessage } from '../errors.js';
import type { StreamId } from '../streams/stream-id.js';

/** What a client receives when the server ends its session. */
export interface StopNotice extends StopText {
  readonly streamId: StreamId;
  readonly code: StopCode | RuleRefusalCode;
  /** The number of the newest event of the stream; see `StreamEvent`. */
  readonly seq: number;
}

interface StopText {
  readonly message: string;
  /** The close code of the websocket, from the private range except when the server stops (RFC 6455 7.4.2). */
  readonly closeCode: number;
}

/** The sentence and the close code for each way in which the server ends a session. */
export const stopNotice: Readonly<Record<StopCode, StopText>> = {
  replaced: { message: 'the client resumed in another session', closeCode: 4001 },
  transport_lost: { message: 'the media connection was lost; connect again', closeCode: 4002 },
  media_engine_restarted: { message: 'the media engine restarted; connect again', closeCode: 4003 },
  stopped_by_owner: { message: 'the owner of the stream stopped it', closeCode: 4004 },
  idle: { message: 'nothing was published or viewed in time; open another websocket', closeCode: 4005 },
  displaced: { message: 'another viewer uses this token now', closeCode: 4006 },
  removed_by_owner: { message: 'the owner of the stream ended this session', closeCode: 4007 },
  database_unavailable: {
    message: 'the server could not confirm with its database that it still has the stream; connect again',
    closeCode: 4011,
  },
  moved: { message: 'another server has the stream now; connect again', closeCode: 4012 },
  bitrate_too_high: { message: 'the publisher sent far more than the operator permits its account', closeCode: 4013 },
  server_stopping: { message: 'the server is stopping; connect again in a moment', closeCode: 1012 },
};

/** For a session that a rule refuses. */
export function refusalNotice(code: RuleRefusalCode): StopText {
  return { message: denialMessage(code), closeCode: 4010 };
}

import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { StopCode } from '../../src/wire/websocket/stop-code.js';
import { denialMessage } from '../errors.js';

interface Notice {
  readonly message: string;
  /** From the private range, but for a server that stops (RFC 6455 7.4.2). */
  readonly closeCode: number;
}

/** What a client is told when we end its session: a sentence, and a close code. */
export const stopNotice: Readonly<Record<StopCode, Notice>> = {
  replaced: { message: 'the same broadcaster came back in another session', closeCode: 4001 },
  transport_lost: { message: 'the media connection was lost; connect again', closeCode: 4002 },
  media_engine_restarted: { message: 'the media engine restarted; connect again', closeCode: 4003 },
  stopped_by_owner: { message: 'the owner of the stream stopped it', closeCode: 4004 },
  idle: { message: 'nothing was published or viewed here in time; open another websocket for it', closeCode: 4005 },
  server_stopping: { message: 'the server is stopping; connect again in a moment', closeCode: 1012 },
};

/** A session that a rule ended. */
export function refusalNotice(reason: RuleRefusalCode): Notice {
  return { message: denialMessage(reason), closeCode: 4010 };
}

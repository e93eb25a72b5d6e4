import type { StopReason } from '../../src/wire/stop-reason.js';

/** What a client is told when we end its session: a sentence, and a close code from the private range (RFC 6455 7.4.2). */
export const stopNotice: Readonly<Record<StopReason, { readonly message: string; readonly closeCode: number }>> = {
  replaced: { message: 'the same broadcaster came back in another session', closeCode: 4001 },
  transport_lost: { message: 'the media connection was lost; connect again', closeCode: 4002 },
  media_engine_restarted: { message: 'the media engine restarted; connect again', closeCode: 4003 },
  stopped_by_owner: { message: 'the owner of the stream stopped it', closeCode: 4004 },
  server_stopping: { message: 'the server is stopping; connect again in a moment', closeCode: 1012 },
};

/** Close code of a session that a rule ended; the `stopped` event before it has the reason. */
export const REFUSED_CLOSE_CODE = 4010;

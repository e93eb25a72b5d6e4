import type { Reason } from '../../src/wire/reason.js';
import type { StopReason } from '../../src/wire/stop-reason.js';
import { refusalNotice, stopNotice } from './stop-notice.js';

/** Ways in which a session ends that its client is not told of. */
const untold = {
  left: 'the client ended the session',
  lost: 'the connection to the client broke',
  not_resumed: 'the client was lost and did not come back in time',
  not_connected: 'the media could not be connected',
} as const;

/** Why a session ended: a stable word and a sentence, for the log. */
export interface SessionEnding {
  readonly code: StopReason | Reason | keyof typeof untold;
  readonly reason: string;
}

export const endings = Object.freeze({
  stopped: (code: StopReason): SessionEnding => ({ code, reason: stopNotice[code].message }),
  refused: (code: Reason): SessionEnding => ({ code, reason: refusalNotice(code).message }),
  untold: (code: keyof typeof untold): SessionEnding => ({ code, reason: untold[code] }),
});

import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { ClientEndCode } from '../../src/wire/management/session.js';
import type { StopCode } from '../../src/wire/websocket/stop-code.js';
import { refusalNotice, stopNotice } from './stop-notice.js';

/** Ends of a session for which the client receives no notice, or one of its protocol. */
const unnoticed: Readonly<Record<ClientEndCode, string>> = {
  left: 'the client ended the session',
  lost: 'the connection to the client broke',
  not_resumed: 'the client was lost and did not resume in time',
  not_connected: 'the media could not be connected',
  b_frames: 'the video of the encoder has B-frames',
  codec_unsupported: 'the video codec of the encoder is not supported',
  nothing_to_publish: 'the encoder sent nothing that can be published',
};

/** Why a session ended, for the log. */
export interface SessionEndReason {
  readonly code: StopCode | RuleRefusalCode | ClientEndCode;
  readonly reason: string;
}

/** Whether the broadcaster or their owner meant the broadcast to end. Viewers are told: all other ends may be mended. */
export const isDeclaredEnd = ({ code }: SessionEndReason): boolean => code === 'left' || code === 'stopped_by_owner';

export const endReasons = Object.freeze({
  stopped: (code: StopCode, reason = stopNotice[code].message): SessionEndReason => ({ code, reason }),
  refused: (code: RuleRefusalCode): SessionEndReason => ({ code, reason: refusalNotice(code).message }),
  unnoticed: (code: ClientEndCode): SessionEndReason => ({ code, reason: unnoticed[code] }),
});

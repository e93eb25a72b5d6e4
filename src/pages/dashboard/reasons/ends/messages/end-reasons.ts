// Generated from en.json by `npm run generate`. Do not edit.
import type { RuleRefusalCode } from '../../../../../wire/director/refusal-code.js';
import type { ClientEndCode } from '../../../../../wire/management/session.js';
import type { SERVER_LOST } from '../../../../../wire/management/session.js';
import type { StopCode } from '../../../../../wire/websocket/stop-code.js';

/** A sentence for each reason for which a session can end. */
export type EndReasons = Readonly<Record<RuleRefusalCode | StopCode | ClientEndCode | typeof SERVER_LOST, string>>;

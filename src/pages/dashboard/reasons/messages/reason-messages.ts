import type { RuleRefusalCode } from '../../../../wire/director/refusal-code.js';
import type { ClientEndCode, SERVER_LOST } from '../../../../wire/management/session.js';
import type { StopCode } from '../../../../wire/websocket/stop-code.js';

/** A sentence for each reason of a refusal. */
export type RefusalReasons = Readonly<Record<RuleRefusalCode, string>>;

/** A sentence for each reason for which a session can end. */
export type EndReasons = Readonly<Record<RuleRefusalCode | StopCode | ClientEndCode | typeof SERVER_LOST, string>>;

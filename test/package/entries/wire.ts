import type { ruleRefusalCode, RuleRefusalCode } from 'streamgate/wire';
import { holds, type Same } from './same.js';

holds<Same<(typeof ruleRefusalCode.options)[number], RuleRefusalCode>>();
const known: RuleRefusalCode = 'token_expired';
// @ts-expect-error: there is no such code
const unknown: RuleRefusalCode = 'token_tired';
export { known, unknown };

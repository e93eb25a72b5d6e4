import type { reason, Reason } from 'streamgate/wire';
import { holds, type Same } from './same.js';

holds<Same<(typeof reason.options)[number], Reason>>();
const known: Reason = 'token_expired';
// @ts-expect-error: there is no such reason
const unknown: Reason = 'token_tired';
export { known, unknown };

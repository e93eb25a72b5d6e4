import type { AccessRequest } from './access-request.js';
import { ALLOW, deny, type Verdict } from './verdict.js';

/** Nobody else publishes under the name: a later broadcast never takes over an earlier one. */
export function nameFree({ stream }: AccessRequest): Verdict {
  return stream.taken ? deny('stream_in_use') : ALLOW;
}

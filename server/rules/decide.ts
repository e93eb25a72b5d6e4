import type { AccessRequest, Rule } from './access-request.js';
import { nameFree } from './name-free.js';
import { streamLiveOrToken } from './stream-live-or-token.js';
import { streamNamePermitted } from './stream-name-permitted.js';
import { tokenActive } from './token-active.js';
import { tokenKnown } from './token-known.js';
import { tokenNotExpired } from './token-not-expired.js';
import { tokenOfKind } from './token-of-kind.js';
import { tokenPresentIfRequired } from './token-present-if-required.js';
import { ALLOW, type Verdict } from './verdict.js';

/** What must hold of whichever token was presented. A request without one passes them all. */
const tokenRules: readonly Rule[] = [
  tokenPresentIfRequired,
  tokenKnown,
  tokenOfKind,
  tokenActive,
  tokenNotExpired,
  streamNamePermitted,
];

/** The order is the policy, and the first no is the answer given: what a stream is doing is told to the admitted only. */
export const viewingRules: readonly Rule[] = [...tokenRules, streamLiveOrToken];

export const publishingRules: readonly Rule[] = [...tokenRules, nameFree];

export function decide(rules: readonly Rule[], request: AccessRequest): Verdict {
  for (const rule of rules) {
    const verdict = rule(request);
    if (!verdict.allowed) return verdict;
  }
  return ALLOW;
}

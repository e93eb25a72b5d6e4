import type { AccessRequest, Rule } from './access-request.js';
import { addressAllowed } from './address-allowed.js';
import { addressBound } from './address-bound.js';
import { nameFree } from './name-free.js';
import { originAllowed } from './origin-allowed.js';
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

/** What must hold of where the token is used. */
const placeRules: readonly Rule[] = [originAllowed, addressAllowed, addressBound];

/** The order is the policy, and the first no is the answer given: what a stream is doing is told to the admitted only. */
export const viewingRules: readonly Rule[] = [...tokenRules, ...placeRules, streamLiveOrToken];

export const publishingRules: readonly Rule[] = [...tokenRules, ...placeRules, nameFree];

/** RTMP knows no page, and its encoders come from wherever the camera is: where the token is used counts for nothing. */
export const rtmpPublishingRules: readonly Rule[] = [...tokenRules, nameFree];

export function decide(rules: readonly Rule[], request: AccessRequest): Verdict {
  for (const rule of rules) {
    const verdict = rule.decide(request);
    if (!verdict.allowed) return verdict;
  }
  return ALLOW;
}

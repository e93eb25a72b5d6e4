import type { AccessRequest } from './access-request.js';
import { accountNotFull } from './account-not-full.js';
import { addressAllowed } from './address-allowed.js';
import { addressBound } from './address-bound.js';
import { addressNotDenied } from './address-not-denied.js';
import { countryAllowed } from './country-allowed.js';
import { nameFree } from './name-free.js';
import { originAllowed } from './origin-allowed.js';
import { ALLOW, type Rule, type Verdict } from './rule.js';
import { sessionFree } from './session-free.js';
import { streamLiveOrToken } from './stream-live-or-token.js';
import { streamNamePermitted } from './stream-name-permitted.js';
import { tokenActive } from './token-active.js';
import { tokenKnown } from './token-known.js';
import { tokenNotExpired } from './token-not-expired.js';
import { tokenOfKind } from './token-of-kind.js';
import { tokenPresentIfRequired } from './token-present-if-required.js';

/** Rules about the presented token. A request without a token passes all but the first. */
const tokenRules: readonly Rule[] = [
  tokenPresentIfRequired,
  tokenKnown,
  tokenOfKind,
  tokenActive,
  tokenNotExpired,
  streamNamePermitted,
];

/** Rules about the page and the address that the request comes from. */
const contextRules: readonly Rule[] = [originAllowed, addressNotDenied, addressAllowed, countryAllowed, addressBound];

/**
 * The order is the policy: the first refusal is the answer, so the state of a stream is shown to permitted callers
 * only.
 */
export const viewingRules: readonly Rule[] = [
  ...tokenRules,
  ...contextRules,
  sessionFree,
  accountNotFull,
  streamLiveOrToken,
];

export const publishingRules: readonly Rule[] = [...tokenRules, ...contextRules, accountNotFull, nameFree];

/** RTMP has no origin, and encoders connect from anywhere: the context rules do not apply. */
export const rtmpPublishingRules: readonly Rule[] = [...tokenRules, accountNotFull, nameFree];

/** The rules for a request, in the order of the policy. */
export function rulesFor({ kind, via }: Pick<AccessRequest, 'kind' | 'via'>): readonly Rule[] {
  if (kind === 'subscribe') return viewingRules;
  return via === 'rtmp' ? rtmpPublishingRules : publishingRules;
}

export function decide(rules: readonly Rule[], request: AccessRequest): Verdict {
  for (const rule of rules) {
    const verdict = rule.decide(request);
    if (!verdict.allowed) return verdict;
  }
  return ALLOW;
}

/** The rules that are about a known token: without one they allow, and have looked at nothing. */
const rulesOfKnownTokens: ReadonlySet<Rule> = new Set([
  tokenOfKind,
  tokenActive,
  tokenNotExpired,
  streamNamePermitted,
  ...contextRules,
  sessionFree,
]);

function applies(rule: Rule, { presented, token }: AccessRequest): boolean {
  if (rule === tokenKnown) return presented;
  return token !== undefined || !rulesOfKnownTokens.has(rule);
}

/** The verdict of one rule, as /api/explain sends it. */
export interface RuleFinding {
  readonly rule: string;
  readonly verdict: Verdict;
  /** False: the rule is about a token, and the request has none, or an unknown one. */
  readonly applies: boolean;
  readonly looked_at: Readonly<Record<string, unknown>>;
}

/** The verdict of every rule in order, including those after the first refusal. `decide` returns that refusal. */
export function explain(rules: readonly Rule[], request: AccessRequest): RuleFinding[] {
  return rules.map((rule) => ({
    rule: rule.name,
    verdict: rule.decide(request),
    applies: applies(rule, request),
    looked_at: rule.looksAt(request),
  }));
}

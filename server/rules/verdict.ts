import { ruleRefusalCode as reasons, type RuleRefusalCode } from '../../src/wire/director/refusal-code.js';

/** A rule's answer. There is no third one: what cannot be decided is denied. */
export type Verdict = Readonly<{ allowed: true } | { allowed: false; reason: RuleRefusalCode }>;

export const ALLOW: Verdict = Object.freeze({ allowed: true });

/** Made once, as every viewer call may end in one. */
const DENIALS: ReadonlyMap<RuleRefusalCode, Verdict> = new Map(
  reasons.options.map((reason) => [reason, Object.freeze({ allowed: false, reason })]),
);

export function deny(reason: RuleRefusalCode): Verdict {
  return DENIALS.get(reason) ?? { allowed: false, reason };
}

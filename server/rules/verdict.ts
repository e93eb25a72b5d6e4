import { reason as reasons, type Reason } from '../../src/wire/reason.js';

/** A rule's answer. There is no third one: what cannot be decided is denied. */
export type Verdict = Readonly<{ allowed: true } | { allowed: false; reason: Reason }>;

export const ALLOW: Verdict = Object.freeze({ allowed: true });

/** Made once, as every viewer call may end in one. */
const DENIALS: ReadonlyMap<Reason, Verdict> = new Map(
  reasons.options.map((reason) => [reason, Object.freeze({ allowed: false, reason })]),
);

export function deny(reason: Reason): Verdict {
  return DENIALS.get(reason) ?? { allowed: false, reason };
}

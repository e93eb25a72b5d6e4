import type { Reason } from '../../src/wire/reason.js';

/** A rule's answer. There is no third one: what cannot be decided is denied. */
export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: Reason };

export const ALLOW: Verdict = Object.freeze({ allowed: true });

export function deny(reason: Reason): Verdict {
  return { allowed: false, reason };
}

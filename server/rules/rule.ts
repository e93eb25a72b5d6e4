import { ruleRefusalCode, type RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { AccessRequest } from './access-request.js';

/** A rule's answer. There is no third one: a rule denies what it cannot decide. */
export type Verdict = Readonly<{ allowed: true } | { allowed: false; reason: RuleRefusalCode }>;

export interface Rule {
  /** Stable identifier, shown by /api/explain. The name of the rule's file. */
  readonly name: string;
  readonly decide: (request: AccessRequest) => Verdict;
  /** The facts that the rule decides by, shown by /api/explain. Fit for JSON, short, and never the value of a token. */
  readonly looksAt: (request: AccessRequest) => Readonly<Record<string, unknown>>;
}

export const ALLOW: Verdict = Object.freeze({ allowed: true });

/** One frozen verdict for each reason, because every call of a viewer may end in one. */
const DENIALS: ReadonlyMap<RuleRefusalCode, Verdict> = new Map(
  ruleRefusalCode.options.map((reason) => [reason, Object.freeze({ allowed: false, reason })]),
);

export function deny(reason: RuleRefusalCode): Verdict {
  return DENIALS.get(reason) ?? { allowed: false, reason };
}

/** A list of a token may have a thousand entries. */
const MAX_PREVIEW = 20;

/** The beginning of a list and its length, for `looksAt`. Null if there is no token. */
export function listPreview<Entry>(
  list: readonly Entry[] | undefined,
): { first: readonly Entry[]; total: number } | null {
  return list ? { first: list.slice(0, MAX_PREVIEW), total: list.length } : null;
}

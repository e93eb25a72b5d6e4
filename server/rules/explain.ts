import type { AccessRequest, Rule } from './access-request.js';
import type { Verdict } from './verdict.js';

/** What one rule has to say. In the wire's spelling, as it is answered as it is. */
export interface RuleFinding {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly looked_at: Readonly<Record<string, unknown>>;
}

/** Every rule in order with its own verdict, also those after the first no, which is the answer that `decide` gives. */
export function explain(rules: readonly Rule[], request: AccessRequest): RuleFinding[] {
  return rules.map(({ name, decide, looksAt }) => ({
    rule: name,
    verdict: decide(request),
    looked_at: looksAt(request),
  }));
}

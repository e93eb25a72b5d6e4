// Generated from en.json by `npm run generate`. Do not edit.
import type { CureName } from '../refusal-cure.js';
import type { RefusalReasons } from '../../reasons/refusals/messages/refusal-reasons.js';

/** The texts of the page of refused requests. Dates and numbers arrive formatted for the language. */
export interface RefusalsMessages {
  readonly purpose: string;
  readonly none: string;
  readonly noneFound: string;
  readonly dropped: (count: number, shownCount: string) => string;
  readonly reason: string;
  readonly everyReason: string;
  readonly streamName: string;
  readonly show: string;
  readonly toPublish: string;
  readonly toWatch: string;
  readonly token: (id: string) => string;
  readonly noToken: string;
  readonly unknownAccount: (name: string) => string;
  readonly explain: string;
  readonly explainThis: (stream: string, time: string) => string;
  readonly explanation: string;
  readonly nowAllowed: string;
  readonly stillRefused: string;
  /** What each rule asks for, by its name. */
  readonly rules: Readonly<Record<string, string>>;
  readonly ruleAllows: string;
  readonly ruleRefuses: string;
  /** The rule is about a token, and the request had none that exists. */
  readonly ruleUnused: string;
  readonly aboutReason: string;
  /** The button that changes the token so that it admits, while it is not chosen for what. */
  readonly cureNames: Readonly<Record<CureName, string>>;
  /** The same button when that is chosen, and what it does. `value` is a website, an address or a stream. */
  readonly cures: Readonly<Record<CureName, {
      readonly action: (value: string) => string;
      readonly effect: (value: string) => string;
    }>>;
  /** For how long a token works again, by days. */
  readonly extensions: Readonly<Record<string, string>>;
  /** Asks which stream, address or time. */
  readonly which: string;
  readonly cured: (token: string) => string;
  readonly curedAlready: (token: string) => string;
  readonly inRange: (token: string) => string;
  readonly editToken: (token: string) => string;
  /** Tokens that the account's own server signs. */
  readonly signedLimits: string;
  readonly moreGroups: string;
  /** The heading of the groups of refusals that have much in common. */
  readonly together: string;
  readonly count: (count: string) => string;
  readonly between: (first: string, last: string) => string;
  readonly showThese: (reason: string, token: string) => string;
  readonly showAll: string;
  readonly reasons: RefusalReasons;
}

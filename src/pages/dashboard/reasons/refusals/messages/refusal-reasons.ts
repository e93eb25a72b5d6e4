// Generated from en.json by `npm run generate`. Do not edit.
import type { RuleRefusalCode } from '../../../../../wire/director/refusal-code.js';

/** A sentence for each reason of a refusal. */
export type RefusalReasons = Readonly<Record<RuleRefusalCode, string>>;

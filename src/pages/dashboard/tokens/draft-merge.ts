import type { TokenBody } from '../../../wire/management/token.js';
import { differs, draftOf, tokenFields, valuesOf, type TokenDraft, type TokenField } from './token-draft.js';

/** A draft after somebody else has changed its token. */
export interface MergedDraft {
  /** What the person has changed stays. The other fields have the present values of the token. */
  readonly draft: TokenDraft;
  /** The fields that both have changed, each to something else. */
  readonly conflicts: readonly TokenField[];
}

/**
 * Joins what a person has changed with what somebody else has saved meanwhile.
 *
 * @param base the token that the draft began with
 * @param present the token as it is saved now
 */
export function mergeDraft(draft: TokenDraft, base: TokenBody, present: TokenBody): MergedDraft {
  const [before, now] = [draftOf(base), draftOf(present)];
  const mine = tokenFields.filter((field) => differs(draft, before, field));
  const isTheirs = (field: TokenField): boolean =>
    field === 'expiry' ? base.expiresOn !== present.expiresOn : differs(now, before, field);
  return {
    draft: Object.assign({}, now, ...mine.map((field) => valuesOf(draft, field))),
    conflicts: mine.filter((field) => isTheirs(field) && differs(draft, now, field)),
  };
}

/** Gives up what the person has changed in a field. */
export const withTheirs = (draft: TokenDraft, present: TokenBody, field: TokenField): TokenDraft => ({
  ...draft,
  ...valuesOf(draftOf(present), field),
});

import type { TokenBody } from '../../../wire/management/token.js';
import { differs, draftOf, tokenFields, valuesOf, type TokenDraft, type TokenField } from './token-draft.js';

/** A draft after somebody else has changed its token. */
export interface MergedDraft {
  /** What the person has changed stays. The other fields have the present values of the token. */
  readonly draft: TokenDraft;
  /** The fields that both have changed, each to something else. */
  readonly conflicts: readonly TokenField[];
  /** Whether somebody else has changed a field. Otherwise the token has only bound an address, or was disabled. */
  readonly hasNews: boolean;
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
  const isTheirs = (field: TokenField): boolean => {
    if (field === 'expiry') return base.expiresOn !== present.expiresOn;
    // Each new address that uses the token changes the list of bound addresses.
    const bindsAsBefore = base.bindIpsOnUsage > 0 && base.bindIpsOnUsage === present.bindIpsOnUsage;
    return !(field === 'addresses' && bindsAsBefore) && differs(now, before, field);
  };
  return {
    draft: Object.assign({}, now, ...mine.map((field) => valuesOf(draft, field))),
    hasNews: tokenFields.some(isTheirs),
    conflicts: mine.filter((field) => isTheirs(field) && differs(draft, now, field)),
  };
}

/** Gives up what the person has changed in a field. */
export const withTheirs = (draft: TokenDraft, present: TokenBody, field: TokenField): TokenDraft => ({
  ...draft,
  ...valuesOf(draftOf(present), field),
});

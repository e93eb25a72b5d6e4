import type { FieldFaults } from './draft-faults.js';
import { differs, emptyDraft, type TokenDraft, type TokenField } from './token-draft.js';
import type { TokenKind } from './token-kind.js';

/** The fields that few tokens have, in the order of the form: folded until one has a value or a fault. */
const FOLDED = ['places', 'origins', 'addresses', 'deniedAddresses', 'allowedCountries', 'deniedCountries'] as const;

export type FoldedField = (typeof FOLDED)[number];

/** A token in the form, as far as it decides which fields are shown. */
export interface FoldedToken {
  readonly kind: TokenKind;
  readonly draft: TokenDraft;
  readonly faults: FieldFaults;
  /** The fields that somebody else has changed too. */
  readonly conflicts: readonly TokenField[];
  /** Whether the server can place addresses in countries. */
  readonly knowsCountries: boolean;
}

/** Those that the form has for this token. A server without a database of countries takes no countries. */
export function foldedFields(edited: FoldedToken): readonly FoldedField[] {
  return FOLDED.filter((name) => {
    if (name === 'places') return edited.kind === 'subscribe';
    return edited.knowsCountries || !name.endsWith('Countries') || isUsed(name, edited);
  });
}

/** Whether one has a value, a fault or a change of somebody else. */
export const isFoldUsed = (edited: FoldedToken): boolean => foldedFields(edited).some((name) => isUsed(name, edited));

export const isFoldFaulty = (edited: FoldedToken): boolean =>
  foldedFields(edited).some((name) => name in edited.faults);

const isUsed = (name: FoldedField, { draft, faults, conflicts }: FoldedToken): boolean =>
  differs(draft, emptyDraft, name) || name in faults || conflicts.includes(name satisfies TokenField);

import type { EditedToken } from './editor-fields.js';
import { differs, emptyDraft, type TokenField } from './token-draft.js';

/** The fields that few tokens have, in the order of the form: folded until one has a value or a fault. */
const FOLDED = ['places', 'origins', 'addresses', 'deniedAddresses', 'allowedCountries', 'deniedCountries'] as const;

type Folded = (typeof FOLDED)[number];

type Edited = Pick<EditedToken, 'kind' | 'draft' | 'faults' | 'conflicts' | 'knowsCountries'>;

/** Those that the form has for this token. A server without a database of countries takes no countries. */
export function foldedFields(edited: Edited): readonly Folded[] {
  return FOLDED.filter((name) => {
    if (name === 'places') return edited.kind === 'subscribe';
    return edited.knowsCountries || !name.endsWith('Countries') || isUsed(name, edited);
  });
}

/** Whether one has a value, a fault or a change of somebody else. */
export const isFoldUsed = (edited: Edited): boolean => foldedFields(edited).some((name) => isUsed(name, edited));

export const isFoldFaulty = (edited: Edited): boolean => foldedFields(edited).some((name) => name in edited.faults);

const isUsed = (name: Folded, { draft, faults, conflicts }: Edited): boolean =>
  differs(draft, emptyDraft, name) || name in faults || conflicts.includes(name satisfies TokenField);

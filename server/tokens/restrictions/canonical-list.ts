import { InvalidRequestError } from '../../errors.js';

/** An entry of a token's list cannot be read. The message is for whoever wrote it, and holds nothing of the entry. */
export class InvalidEntryError extends Error {
  override name = 'InvalidEntryError';
}

/** As many as an answer names at once. */
const MAX_ERRORS = 20;

/**
 * Each entry in its canonical form, once.
 * @throws {InvalidRequestError} `code`, with what is wrong with each entry under its path, as `allowedOrigins.2`
 */
export function canonicalList(
  field: string,
  entries: readonly string[],
  canonical: (entry: string) => string,
  { code }: { readonly code: string },
): string[] {
  const read = new Set<string>();
  const errors: Record<string, string[]> = {};
  for (const [index, entry] of entries.entries()) {
    try {
      read.add(canonical(entry));
    } catch (error) {
      if (!(error instanceof InvalidEntryError)) throw error;
      errors[`${field}.${index}`] = [error.message];
      if (Object.keys(errors).length === MAX_ERRORS) break;
    }
  }
  if (Object.keys(errors).length > 0) throw new InvalidRequestError(errors, { code });
  return [...read];
}

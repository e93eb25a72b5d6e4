import { InvalidRequestError } from '../errors.js';
import { checkAddresses, checkOrigins } from './restrictions/canonical-lists.js';
import { checkCountries } from './token-revision.js';

type ListName = 'allowedOrigins' | 'allowedIpAddresses' | 'deniedIpAddresses';

type ListFields = Readonly<
  Partial<Record<ListName | 'allowedCountries' | 'deniedCountries', readonly string[] | null | undefined>>
>;

type CheckedLists = Partial<Record<ListName, string[]>>;

/**
 * The lists that the fields name, in canonical form.
 * @param patternFault what is wrong with the streams, which are checked before
 * @throws {InvalidRequestError} with the code of the first fault, and the fields of all
 */
export function checkedLists(
  fields: ListFields,
  patternFault: InvalidRequestError | undefined,
  knowsCountries: boolean,
): CheckedLists {
  const lists: CheckedLists = {};
  const check = (name: ListName, canonical: typeof checkOrigins) =>
    faultOf(() => {
      const entries = fields[name];
      if (entries) lists[name] = canonical(name, entries);
    });
  throwFaults([
    patternFault,
    faultOf(() => checkCountries(fields, knowsCountries)),
    check('allowedOrigins', checkOrigins),
    check('allowedIpAddresses', checkAddresses),
    check('deniedIpAddresses', checkAddresses),
  ]);
  return lists;
}

/** What a check throws, so that the other checks run too. */
export function faultOf(check: () => unknown): InvalidRequestError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof InvalidRequestError) return error;
    throw error;
  }
}

/** One answer says everything that is wrong. */
function throwFaults(checked: readonly (InvalidRequestError | undefined)[]): void {
  const [first, ...more] = checked.filter((fault) => fault !== undefined);
  if (!first) return;
  if (more.length === 0) throw first;
  const errors = Object.assign({}, first.errors, ...more.map((fault) => fault.errors));
  throw new InvalidRequestError(errors, { code: first.code });
}

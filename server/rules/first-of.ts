/** As much of a token's list as somebody who asks why can take in; a list may have a thousand entries. */
const SHOWN = 20;

/** The beginning of a list, and how long it is. Null where there is no token to have one. */
export function firstOf<Entry>(list: readonly Entry[] | undefined): { first: readonly Entry[]; total: number } | null {
  return list ? { first: list.slice(0, SHOWN), total: list.length } : null;
}

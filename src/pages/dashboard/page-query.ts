/** What a page shows, as parameters of its address. Undefined, an empty text, and the first page are left out. */
export type PageQuery = Readonly<Record<string, string | number | undefined>>;

const LANGUAGE = 'lang';

/** The part of a query that every page of the dashboard keeps. */
export const commonSearch = (search: string): string => searchOf(search, {});

/** The query of a page. @param search the present one, whose language stays */
export function searchOf(search: string, query: PageQuery): string {
  const language = new URLSearchParams(search).get(LANGUAGE);
  const shown = Object.entries(query).filter(([name, value]) => value && !(name === 'page' && value === 1));
  const parameters = new URLSearchParams([
    ...(language ? [[LANGUAGE, language]] : []),
    ...shown.map(([name, value]) => [name, String(value)]),
  ]);
  return parameters.size > 0 ? `?${parameters.toString()}` : '';
}

/** The number of a page of a list, from 1. The first one if the address names none. */
export function pageNumber(query: URLSearchParams, name = 'page'): number {
  const text = query.get(name) ?? '';
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
}

/** One of these values. Undefined: the address names none, or another. */
export function oneOf<Value extends string>(
  query: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = query.get(name);
  return values.find((value) => value === text);
}

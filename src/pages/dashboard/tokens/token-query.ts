import { oneOf, type PageQuery } from '../page-query.js';
import { tokenKinds } from './token-kind.js';
import { firstFilter, tokenSorts, tokenStates, type TokenFilter } from './tokens-state.js';

/** The tokens that an address names. */
export const tokenFilterOf = (query: URLSearchParams): TokenFilter => ({
  kind: oneOf(query, 'kind', tokenKinds) ?? firstFilter.kind,
  search: query.get('search')?.slice(0, 128) ?? '',
  state: oneOf(query, 'state', tokenStates),
  sort: oneOf(query, 'sort', tokenSorts) ?? firstFilter.sort,
});

export const tokenQueryOf = ({ kind, search, state, sort }: TokenFilter, page = 1): PageQuery => ({
  kind: kind === firstFilter.kind ? undefined : kind,
  search,
  state,
  sort: sort === firstFilter.sort ? undefined : sort,
  page,
});

import { ruleRefusalCode } from '../../../wire/director/refusal-code.js';
import { oneOf, pageNumber, type PageQuery } from '../page-query.js';
import type { RefusalFilter } from './refusals-state.js';

/** The refusals that an address names. */
export const refusalFilterOf = (query: URLSearchParams): RefusalFilter => ({
  reason: oneOf(query, 'reason', ruleRefusalCode.options) ?? '',
  streamName: query.get('stream')?.slice(0, 128) ?? '',
  tokenId: query.has('token') ? pageNumber(query, 'token') : undefined,
});

export const refusalQueryOf = ({ reason, streamName, tokenId }: RefusalFilter, page = 1): PageQuery => ({
  reason,
  stream: streamName,
  token: tokenId,
  page,
});

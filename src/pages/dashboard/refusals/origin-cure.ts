import type { RefusalBody } from '../../../wire/management/refusal.js';

/** The change of a token that would have permitted the page of a refused request. */
export interface OriginCure {
  readonly kind: RefusalBody['kind'];
  readonly tokenId: number;
  /** An entry of `allowedOrigins`: the host, with every port. */
  readonly host: string;
}

/** @returns undefined if the origin is not why the request was refused, or the client sent none */
export function originCure({
  reason,
  kind,
  tokenId,
  origin,
}: Pick<RefusalBody, 'reason' | 'kind' | 'tokenId' | 'origin'>): OriginCure | undefined {
  if (reason !== 'origin_not_allowed' || tokenId === null || origin === null) return undefined;
  if (!URL.canParse(origin)) return undefined;
  const host = new URL(origin).hostname;
  return host === '' ? undefined : { kind, tokenId, host };
}

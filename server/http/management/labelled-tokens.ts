import type { Request } from 'express';
import type { TokenLabels } from '../../tokens/token-labels.js';
import { managementCallerOf } from './management-access.js';

/**
 * Adds the label of its token to each body: null without a label. Who may see figures only gets none, because a label
 * often is the name of a person.
 */
export async function withTokenLabels<Body extends { readonly tokenId: number | null }>(
  labels: TokenLabels,
  req: Request,
  bodies: readonly Body[],
): Promise<(Body & { readonly tokenLabel: string | null })[]> {
  const { accountId, permissions } = managementCallerOf(req);
  const ids = new Set(bodies.flatMap(({ tokenId }) => (tokenId === null ? [] : [tokenId])));
  const found = permissions.has('read') ? await labels.of(accountId, [...ids]) : undefined;
  return bodies.map((body) => ({ ...body, tokenLabel: (body.tokenId !== null && found?.get(body.tokenId)) || null }));
}

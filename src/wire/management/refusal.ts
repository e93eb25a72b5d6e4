import * as z from 'zod/mini';
import { pageAnswer, paging } from './paging.js';
import { ruleRefusalCode } from '../director/refusal-code.js';
import { streamName } from '../identifiers.js';
import { tokenId } from './token.js';

/** The query of `GET /api/refusals`. */
export const refusalListQuery = z.strictObject({
  ...paging,
  streamName: z.optional(streamName),
  tokenId: z.optional(tokenId),
  reason: z.optional(ruleRefusalCode),
});

export type RefusalListQuery = z.infer<typeof refusalListQuery>;

/** Somebody who was turned away. */
export const refusalBody = z.looseObject({
  id: z.int(),
  /** ISO 8601, UTC. */
  time: z.string(),
  kind: z.enum(['publish', 'subscribe']),
  /** Null: no token was presented, or none of this account. */
  tokenId: z.nullable(z.int()),
  streamName: z.string(),
  /** What the caller called the account, where that is no account of the server. Null: it was this one, or none. */
  namedAccount: z.optional(z.nullable(z.string())),
  /** Null: the client named none. */
  origin: z.nullable(z.string()),
  /** Null: it could not be told. */
  address: z.nullable(z.string()),
  /** A reason; a later server may know more of them. */
  reason: z.string(),
});

export type RefusalBody = z.infer<typeof refusalBody>;

/** The answer of `GET /api/refusals`, the newest first. */
export const refusalList = z.object({
  status: z.literal('success'),
  data: z.array(refusalBody),
  ...pageAnswer,
  /** Refusals, of any account, that could not be written down since this server started. */
  dropped: z.int(),
});

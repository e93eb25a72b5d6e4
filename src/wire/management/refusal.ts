import * as z from 'zod/mini';
import { pageAnswer, paging } from './paging.js';
import { ruleRefusalCode } from '../director/refusal-code.js';
import { streamName } from '../text.js';
import { tokenId } from './token.js';

/** The query of `GET /api/refusals`. */
export const refusalListQuery = z.strictObject({
  ...paging,
  streamName: z.optional(streamName),
  tokenId: z.optional(tokenId),
  reason: z.optional(ruleRefusalCode),
});

export type RefusalListQuery = z.infer<typeof refusalListQuery>;

/** A request to publish or to watch that was refused. */
export const refusalBody = z.looseObject({
  id: z.int(),
  /** ISO 8601, UTC. */
  time: z.string(),
  kind: z.enum(['publish', 'subscribe']),
  /** Null: the request had no token, or none of this account. */
  tokenId: z.nullable(z.int()),
  /** The label of the token, as it is now. Null: it has none, or the token does not exist any more. */
  tokenLabel: z.optional(z.nullable(z.string())),
  streamName: z.string(),
  /** The account in the request, if the server has no such account. Null: the request named this account, or none. */
  namedAccount: z.optional(z.nullable(z.string())),
  /** Null: the client sent none. */
  origin: z.nullable(z.string()),
  /** Null: not known. */
  address: z.nullable(z.string()),
  /** A `RuleRefusalCode`. A later server may send other values. */
  reason: z.string(),
});

export type RefusalBody = z.infer<typeof refusalBody>;

/** Answer of `GET /api/refusals`, the newest refusal first. */
export const refusalList = z.object({
  status: z.literal('success'),
  data: z.array(refusalBody),
  ...pageAnswer,
  /** Number of refusals, of any account, that could not be stored since this server started. */
  dropped: z.int(),
});

/** Refusals of the same kind, for the same reason, with the same token and from the same origin. */
export const refusalGroup = z.looseObject({
  kind: z.enum(['publish', 'subscribe']),
  /** A `RuleRefusalCode`. A later server may send other values. */
  reason: z.string(),
  /** Null: the requests had no token, or none of this account. */
  tokenId: z.nullable(z.int()),
  /** The label of the token, as it is now. Null: it has none, or the token does not exist any more. */
  tokenLabel: z.optional(z.nullable(z.string())),
  /** Null: the clients sent none. */
  origin: z.nullable(z.string()),
  refusals: z.int(),
  /** The first and the last refusal. ISO 8601, UTC. */
  firstOn: z.string(),
  lastOn: z.string(),
});

export type RefusalGroupBody = z.infer<typeof refusalGroup>;

/** Answer of `GET /api/refusals/groups`, the largest group first. `total` counts the groups of all pages. */
export const refusalGroupList = z.object({ status: z.literal('success'), data: z.array(refusalGroup), ...pageAnswer });

import * as z from 'zod/mini';
import { streamName } from '../identifiers.js';
import { text } from '../text.js';

/** Body of `POST /api/explain`: somebody who might ask to publish or to watch. */
export const explainRequest = z
  .strictObject({
    kind: z.enum(['publish', 'subscribe']),
    /** The value of a token, self-signed ones too. With neither this nor `tokenId`: somebody without a token. */
    token: z.optional(text.check(z.minLength(1), z.maxLength(4096))),
    tokenId: z.optional(z.int().check(z.gte(1))),
    streamName,
    /** As a browser says it, such as `https://example.com`. Left out: a client that names none. */
    origin: z.optional(text.check(z.maxLength(2048))),
    /** Left out: an address that cannot be told. */
    ip: z.optional(text.check(z.maxLength(45))),
  })
  .check(
    z.refine(({ token, tokenId }) => token === undefined || tokenId === undefined, {
      error: 'name the token by token or by tokenId, not both',
      path: ['tokenId'],
    }),
  );

export type ExplainRequest = z.infer<typeof explainRequest>;

/** What one rule has to say. */
export const explainedRule = z.looseObject({
  /** Its name, such as `token-not-expired`; docs/rules.md has them all. */
  rule: z.string(),
  allowed: z.boolean(),
  /** Null where the rule allows. */
  reason: z.nullable(z.string()),
  /** The values it decided by. Never the value of a token. */
  looked_at: z.record(z.string(), z.unknown()),
});

/** Every rule in order with its own verdict, and what the door would answer: the first no. */
export const explanation = z.looseObject({
  allowed: z.boolean(),
  reason: z.nullable(z.string()),
  /** What whoever is refused is told. */
  message: z.nullable(z.string()),
  rules: z.array(explainedRule),
});

export type Explanation = z.infer<typeof explanation>;

export const explainAnswer = z.object({ status: z.literal('success'), data: explanation });

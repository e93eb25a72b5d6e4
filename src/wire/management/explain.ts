import * as z from 'zod/mini';
import { pasted, streamName, text } from '../text.js';

/** Body of `POST /api/explain`: a request to publish or to watch, for which the verdicts are explained. */
export const explainRequest = z
  .strictObject({
    kind: z.enum(['publish', 'subscribe']),
    /** The value of a token, which may be self-signed. Without this and `tokenId`: a request without a token. */
    token: z.optional(pasted.check(z.minLength(1), z.maxLength(4096))),
    tokenId: z.optional(z.int().check(z.gte(1))),
    streamName,
    /** The origin as browsers send it, such as `https://example.com`. Absent: the client sends none. */
    origin: z.optional(text.check(z.maxLength(2048))),
    /** `rtmp`: an encoder, for which the rules about origin and address do not apply. Absent: any other protocol. */
    protocol: z.optional(z.enum(['rtmp'])),
    /** The address of the client. Absent: not known. */
    ip: z.optional(text.check(z.maxLength(45))),
  })
  .check(
    z.refine(({ token, tokenId }) => token === undefined || tokenId === undefined, {
      error: 'name the token by token or by tokenId, not both',
      path: ['tokenId'],
    }),
  );

export type ExplainRequest = z.infer<typeof explainRequest>;

/** The verdict of one rule. */
export const explainedRule = z.looseObject({
  /** The name of the rule, such as `token-not-expired`. docs/rules.md lists all rules. */
  rule: z.string(),
  allowed: z.boolean(),
  /** False: the rule is about a token, and the request has none, or an unknown one. Absent: not said. */
  applies: z.optional(z.boolean()),
  /** Null if the rule allows the request. */
  reason: z.nullable(z.string()),
  /** The values that decided. Never the value of a token. */
  looked_at: z.record(z.string(), z.unknown()),
});

/** The verdict of every rule, in order, and the answer that admission would give: the first denial. */
export const explanation = z.looseObject({
  allowed: z.boolean(),
  reason: z.nullable(z.string()),
  /** The message that the client would receive. */
  message: z.nullable(z.string()),
  rules: z.array(explainedRule),
});

export type Explanation = z.infer<typeof explanation>;

export const explainAnswer = z.object({ status: z.literal('success'), data: explanation });

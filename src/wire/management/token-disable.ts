import * as z from 'zod/mini';

const id = z.int().check(z.gte(1));

/** Body of `PATCH /api/publish_token/disable`. */
export const disableTokens = z.strictObject({ tokenIds: z.array(id).check(z.minLength(1), z.maxLength(1_000)) });

export type DisableTokens = z.infer<typeof disableTokens>;

/** The tokens that were disabled, and why the others were not. */
export const disabledTokens = z.object({
  successfulTokens: z.array(id),
  failedTokens: z.array(z.object({ tokenId: id, errorMessage: z.string() })),
});

export type DisabledTokens = z.infer<typeof disabledTokens>;

import * as z from 'zod/mini';

const id = z.int().check(z.gte(1));

/** Tokens to disable together, up to 1,000 of them. */
export const disableTokens = z.strictObject({ tokenIds: z.array(id).check(z.minLength(1), z.maxLength(1_000)) });

export type DisableTokens = z.infer<typeof disableTokens>;

/** Which were disabled, and why the others were not. */
export const disabledTokens = z.object({
  successfulTokens: z.array(id),
  failedTokens: z.array(z.object({ tokenId: id, errorMessage: z.string() })),
});

export type DisabledTokens = z.infer<typeof disabledTokens>;

import * as z from 'zod/mini';

/** What a key may do. `everything` includes the account itself, such as other keys. */
export const apiKeyScope = z.enum(['read', 'tokens', 'streams', 'recordings', 'everything']);

export type ApiKeyScope = z.infer<typeof apiKeyScope>;

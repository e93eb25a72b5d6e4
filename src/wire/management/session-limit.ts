import * as z from 'zod/mini';

/** How many may watch with a subscribe token at once. 0: any number. */
export const maxSessions = z.int().check(z.gte(0), z.lte(1_000_000));

/**
 * What happens when one more viewer comes: `refuse` refuses them, `displace` disconnects the viewer who came first.
 */
export const whenFull = z.enum(['refuse', 'displace']);

export type WhenFull = z.infer<typeof whenFull>;

/** The limit of a subscribe token, when it is created and when it is changed. */
export const sessionLimit = { maxSessions: z.optional(maxSessions), whenFull: z.optional(whenFull) };

import * as z from 'zod/mini';

/** What keeps a server from some of its work. The words are stable; each has a page in docs/errors. */
export const healthProblemCode = z.enum(['database_unavailable', 'disk_full']);

export type HealthProblemCode = z.infer<typeof healthProblemCode>;

/** The `data` of `GET /healthz`. */
export const health = z.object({
  /** Whether viewers can be let in. */
  up: z.boolean(),
  /** The oldest first. Empty: all is well. */
  problems: z.array(
    z.looseObject({
      /** A `healthProblemCode`; a later server may know more of them. */
      code: z.string(),
      message: z.string(),
      /** ISO 8601, UTC. */
      since: z.string(),
    }),
  ),
});

export type Health = z.infer<typeof health>;

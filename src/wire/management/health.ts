import * as z from 'zod/mini';

/** A problem of the server. Codes are stable, and each has a page in docs/errors. */
export const healthProblemCode = z.enum([
  'database_unavailable',
  'disk_full',
  /** A media process does not run or does not answer, or Janus is away. */
  'engine_unavailable',
  /** The database does not say what other servers change. */
  'notifications_lost',
  'server_stopping',
]);

export type HealthProblemCode = z.infer<typeof healthProblemCode>;

/** The oldest first. Empty: there are none. */
const problems = z.array(
  z.looseObject({
    /** A `healthProblemCode`. A later server may send other values. */
    code: z.string(),
    /** Of the media engine: `media_process_0`, `janus`, `janus_edge_1`. Absent: another problem. */
    component: z.optional(z.string()),
    message: z.string(),
    /** ISO 8601, UTC. */
    since: z.string(),
  }),
);

/** The `data` of `GET /healthz`. */
export const health = z.object({
  /** Whether viewers can be admitted. */
  up: z.boolean(),
  problems,
});

export type Health = z.infer<typeof health>;

/** The `data` of `GET /readyz`. */
export const readiness = z.object({
  /** Whether there are no problems. */
  ready: z.boolean(),
  problems,
});

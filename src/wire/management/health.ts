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

/** The `data` of `GET /livez`. */
export const liveness = z.object({
  /** The event loop of the server turns. A server that hangs does not answer. */
  alive: z.literal(true),
});

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
  /**
   * Faults of the server since its start that cost one message, session or stream, by the part that had them. They are no
   * reason to send clients elsewhere: report them, with the log. The part with the newest first.
   */
  faults: z.optional(
    z.array(
      z.looseObject({
        /** Such as `sessions`. A later server may send other values. */
        part: z.string(),
        count: z.number(),
        /** When the last one was. ISO 8601, UTC. */
        last: z.string(),
      }),
    ),
  ),
});

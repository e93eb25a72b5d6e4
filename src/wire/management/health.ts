import * as z from 'zod/mini';

/** A problem of the server. Codes are stable, and each has a page in docs/errors. */
export const healthProblemCode = z.enum([
  /** The certificate of TLS has expired. */
  'certificate_expired',
  'database_replaced',
  'database_unavailable',
  /** Nothing can be written to the data folder or the folder of recordings. */
  'disk_failed',
  'disk_full',
  /** A media process does not run or does not answer, or Janus is away. */
  'engine_unavailable',
  /** The database does not say what other servers change. */
  'notifications_lost',
  'recording_unavailable',
  'https_unavailable',
  'rtmp_unavailable',
  'server_stopping',
]);

export type HealthProblemCode = z.infer<typeof healthProblemCode>;

/** What an operator should look at, and clients do not notice yet. Each has a page in docs/errors. */
export const healthWarningCode = z.enum([
  'certificate_expiring',
  /** By more than a day. */
  'clock_wrong',
  'job_failed',
  /** The WebRTC library contains a version of OpenSSL that is not supported any more. */
  'openssl_unsupported',
  'webhooks_stuck',
]);

export type HealthWarningCode = z.infer<typeof healthWarningCode>;

/** The oldest first. Empty: there are none. */
const problems = z.array(
  z.looseObject({
    /** A `healthProblemCode`. A later server may send other values. */
    code: z.string(),
    /** The part of the server that has it: `media_process_0`, `janus`, `recordings_folder`. Absent: its code says it. */
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
  /** As the problems, with a `healthWarningCode`. They are no reason for 503. */
  warnings: z.optional(problems),
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

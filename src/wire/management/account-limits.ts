import * as z from 'zod/mini';

/**
 * What the media engine of the server does about `maxPublishBitrate`: `enforced`: publishers are told, and those that send
 * far more are ended; `told`: what they send is not measured; `none`: nothing.
 */
export const publishBitrateControl = z.enum(['enforced', 'told', 'none']);

export type PublishBitrateControl = z.infer<typeof publishBitrateControl>;

/** What the operator of the server permits an account. Null: no limit. The answer of `GET /api/account/limits`. */
export const accountLimitsBody = z.looseObject({
  /** The most sessions of broadcasters and viewers at the same time, on all servers. */
  maxSessions: z.nullable(z.int()),
  /** The most calls of the management API by secrets and keys in a minute, on each server. */
  maxCalls: z.nullable(z.int()),
  /** What each publisher may send, of sound and picture together, in bit/s. Absent: an older server. */
  maxPublishBitrate: z.optional(z.nullable(z.int())),
  /** A `publishBitrateControl`. A later server may send other values. Absent: an older server. */
  publishBitrateControl: z.optional(z.string()),
  /** The sessions that are open now, on all servers. */
  sessions: z.int(),
});

export type AccountLimitsBody = z.infer<typeof accountLimitsBody>;

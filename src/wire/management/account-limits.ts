import * as z from 'zod/mini';

/** What the operator of the server permits an account. Null: no limit. The answer of `GET /api/account/limits`. */
export const accountLimitsBody = z.looseObject({
  /** The most sessions of broadcasters and viewers at the same time, on all servers. */
  maxSessions: z.nullable(z.int()),
  /** The most calls of the management API by secrets and keys in a minute, on each server. */
  maxCalls: z.nullable(z.int()),
  /** The sessions that are open now, on all servers. */
  sessions: z.int(),
});

export type AccountLimitsBody = z.infer<typeof accountLimitsBody>;

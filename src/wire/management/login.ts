import * as z from 'zod/mini';

/** The public id of a login, which the audit log shows too. It reveals nothing of the cookie. */
export const loginId = z.string().check(z.regex(/^ses_[0-9a-f]{12}$/, 'must be ses_ and 12 hex digits'));

/** A browser that is logged in to the dashboard. Times are ISO 8601, UTC. */
export const loginBody = z.looseObject({
  id: z.string(),
  /** Null: it began before the server recorded this. */
  createdOn: z.nullable(z.string()),
  /** To the minute. */
  lastSeenOn: z.nullable(z.string()),
  /** The address of the last call; of IPv6 the /64. */
  lastSeenFrom: z.nullable(z.string()),
  /** What the browser said of itself when it logged in (the header User-Agent). */
  userAgent: z.nullable(z.string()),
  /** The member who is logged in. Null: somebody with a link of the operator. */
  memberName: z.nullable(z.string()),
  expiresOn: z.string(),
  /** Whether the caller is this browser. */
  current: z.boolean(),
});

export type LoginBody = z.infer<typeof loginBody>;

/** Answer of `GET /api/account/logins`, the last seen first. */
export const loginList = z.object({ status: z.literal('success'), data: z.array(loginBody) });

/** Answer of `DELETE /api/account/logins`. */
export const loginsEnded = z.object({ status: z.literal('success'), data: z.object({ ended: z.int() }) });

import * as z from 'zod/mini';
import { name } from '../text.js';

/**
 * What a member of an account may do. `owner`: everything. `manager`: everything but the account itself, such as its
 * secret, keys and members. `figures`: see what is live, statistics and sessions, and no value of a token.
 */
export const memberRole = z.enum(['owner', 'manager', 'figures']);

export type MemberRole = z.infer<typeof memberRole>;

/** The public id of a member. */
export const memberId = z.string().check(z.regex(/^mem_[0-9a-f]{12}$/, 'must be mem_ and 12 hex digits'));

const memberName = name(128);

/** Body of `POST /api/account/members/self`. */
export const joinAccount = z.strictObject({ name: memberName });

export const createMember = z.strictObject({ name: memberName, role: memberRole });

/** Absent fields stay as they are. */
export const updateMember = z
  .strictObject({ name: z.optional(memberName), role: z.optional(memberRole) })
  .check(z.refine<object>((change) => Object.keys(change).length > 0, 'names no field to change'));

export type CreateMember = z.infer<typeof createMember>;
export type UpdateMember = z.infer<typeof updateMember>;

/** A member of an account. Times are ISO 8601, UTC. */
export const memberBody = z.looseObject({
  id: z.string(),
  name: z.string(),
  /** A `memberRole`. `unreadable`: it permits nothing until another is set. A later server may send other values. */
  role: z.string(),
  createdOn: z.string(),
  /** When one of their browsers was last used, to the minute. Null: none is logged in. */
  lastSeenOn: z.nullable(z.string()),
  /** How many passkeys they can sign in with. */
  passkeys: z.int(),
  /** Whether they can log in with a password. */
  hasPassword: z.boolean(),
  /** Whether the caller is this member. */
  current: z.boolean(),
});

export type MemberBody = z.infer<typeof memberBody>;

/** A member with a login link, which no later answer has. */
export const memberWithLink = z.extend(memberBody, {
  /** Opens the dashboard once, as this member. */
  link: z.string(),
  /** ISO 8601, UTC. */
  linkExpiresOn: z.string(),
});

export type MemberWithLink = z.infer<typeof memberWithLink>;

/** Answer of `GET /api/account/members`, the oldest first. */
export const memberList = z.object({ status: z.literal('success'), data: z.array(memberBody) });

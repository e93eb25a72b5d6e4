import * as z from 'zod/mini';
import { pageAnswer, paging } from './paging.js';

/** What was done. The words are stable. */
export const auditAction = z.enum([
  'account_created',
  'secret_created',
  'secret_refreshed',
  'secret_deleted',
  'dashboard_link_created',
  'dashboard_opened',
  'dashboard_closed',
  'token_created',
  'token_changed',
  'token_refreshed',
  'token_deleted',
]);

export type AuditAction = z.infer<typeof auditAction>;

/**
 * Who did it: the holder of an API secret, a dashboard login, an operator at the command line, or the server itself
 * (and the program that it is mounted in).
 */
export const auditActor = z.object({
  by: z.enum(['secret', 'dashboard', 'cli', 'server']),
  /** Of the secret (`sec_…`) or the login (`ses_…`); the name of the operating system's user for `cli`. */
  id: z.nullable(z.string()),
});

/** The query of `GET /api/audit`. */
export const auditListQuery = z.strictObject({ ...paging, action: z.optional(auditAction) });

export type AuditListQuery = z.infer<typeof auditListQuery>;

const fields = z.nullable(z.record(z.string(), z.unknown()));

export const auditBody = z.looseObject({
  id: z.int(),
  /** ISO 8601, UTC. */
  time: z.string(),
  actor: z.looseObject({ by: z.string(), id: z.nullable(z.string()) }),
  /** One of `auditAction`; a later server may know more of them. */
  action: z.string(),
  /** Such as `publish_token` and `7`, `secret` and `sec_…`. */
  target: z.looseObject({ kind: z.string(), id: z.string() }),
  /** What it was, null where there was nothing. A change shows the fields that it changed. Never a secret value. */
  before: fields,
  after: fields,
});

export type AuditBody = z.infer<typeof auditBody>;

/** The answer of `GET /api/audit`, the newest first. */
export const auditList = z.object({ status: z.literal('success'), data: z.array(auditBody), ...pageAnswer });

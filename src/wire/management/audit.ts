import * as z from 'zod/mini';
import { pageAnswer, paging } from './paging.js';

/** The action. These values are stable. */
export const auditAction = z.enum([
  'account_created',
  'secret_created',
  'secret_refreshed',
  'secret_deleted',
  'key_created',
  'key_changed',
  'key_rotated',
  'key_revoked',
  'member_added',
  'member_changed',
  'member_removed',
  'passkey_added',
  'passkey_changed',
  'passkey_removed',
  'password_set',
  'password_removed',
  'theme_changed',
  'theme_removed',
  'limits_changed',
  'schedule_added',
  'schedule_changed',
  'schedule_removed',
  'recording_started',
  'recording_stopped',
  'recording_changed',
  'recording_deleted',
  'recording_settings_changed',
  'clip_created',
  'upstream_set',
  'upstream_removed',
  'webhook_created',
  'webhook_changed',
  'webhook_key_rotated',
  'webhook_disabled',
  'webhook_deleted',
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
 * The actor: an API secret, a key, a dashboard login, an operator on the command line, or the server (or the program in which
 * the server is mounted).
 */
export const auditActor = z.object({
  by: z.enum(['secret', 'key', 'dashboard', 'cli', 'server']),
  /** Id of the secret (`sec_…`), of the key (`key_…`) or of the login (`ses_…`). For `cli`: the name of the operating system's user. */
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
  actor: z.looseObject({
    by: z.string(),
    id: z.nullable(z.string()),
    /** The name of the member who was logged in, or of the key, at that time. Absent: it was neither. */
    name: z.optional(z.string()),
  }),
  /** An `auditAction`. A later server may send other values. */
  action: z.string(),
  /** The changed object, such as `publish_token` and `7`, or `secret` and `sec_…`. */
  target: z.looseObject({
    kind: z.string(),
    id: z.string(),
    /** The label of a token as it is now, or else what the target was called at that time. Null: neither. */
    name: z.optional(z.nullable(z.string())),
  }),
  /** The changed fields before and after. Null: it did not exist. Never the value of a secret or a token. */
  before: fields,
  after: fields,
});

export type AuditBody = z.infer<typeof auditBody>;

/** Answer of `GET /api/audit`, the newest entry first. */
export const auditList = z.object({ status: z.literal('success'), data: z.array(auditBody), ...pageAnswer });

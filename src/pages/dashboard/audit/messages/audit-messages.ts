import type { AuditAction, auditActor } from '../../../../wire/management/audit.js';
import type * as z from 'zod/mini';

type ActorKind = z.infer<typeof auditActor>['by'];

/** The texts of the audit page. Dates and numbers arrive formatted for the language. */
export interface AuditMessages {
  readonly purpose: string;
  readonly none: string;
  readonly noneFound: string;
  readonly action: string;
  readonly everyAction: string;
  readonly show: string;
  readonly changedFields: string;
  readonly field: string;
  readonly before: string;
  readonly after: string;
  readonly actors: Readonly<Record<ActorKind, string>>;
  /** In the dashboard, and no member. */
  readonly operatorLink: string;
  /** Words for kinds of targets. The others are the account itself, which the action says. */
  readonly targets: Readonly<Record<string, string>>;
  readonly actions: Readonly<Record<AuditAction, string>>;
}

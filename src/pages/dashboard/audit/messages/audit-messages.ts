// Generated from en.json by `npm run generate`. Do not edit.
import type { AuditAction } from '../../../../wire/management/audit.js';
import type { AuditBody } from '../../../../wire/management/audit.js';

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
  readonly actors: Readonly<Record<AuditBody['actor']['by'], string>>;
  /** In the dashboard, and no member. */
  readonly operatorLink: string;
  /** Words for kinds of targets. The others are the account itself, which the action says. */
  readonly targets: Readonly<Record<string, string>>;
  readonly actions: Readonly<Record<AuditAction, string>>;
}

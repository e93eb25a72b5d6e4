import type { AuditListQuery } from '../../src/wire/management/audit.js';
import type { AuditEntry } from './audit-entry.js';

/** How long audit entries are kept. */
export const AUDIT_RETENTION_MS = 400 * 24 * 3_600_000;

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The number of entries on all pages. */
  readonly total: number;
}

/**
 * Reads the audit log. The store that makes a change writes its entry in the same transaction, so neither exists
 * without the other.
 *
 * Every implementation passes test/server/store/tables/audit-store.contract.ts.
 */
export interface AuditStore {
  /** The entries of one account, the newest first. */
  list(accountId: string, query: AuditListQuery): Promise<AuditPage>;
  /** When the newest entry of all accounts was written. Undefined: there is none. */
  newestTime(): Promise<number | undefined>;
  /** Deletes entries from before `time`. */
  prune(time: number): Promise<void>;
}

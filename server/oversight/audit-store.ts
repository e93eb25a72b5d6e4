import type { AuditListQuery } from '../../src/wire/management/audit.js';
import type { AuditEntry } from './audit-entry.js';

/** How long entries are kept. */
export const AUDIT_RETENTION_MS = 400 * 24 * 3_600_000;

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Of all pages together. */
  readonly total: number;
}

/**
 * Reads what was written down. Writing is part of each change: the store that changes something writes the entry in
 * the same transaction, so that neither is there without the other.
 *
 * Every implementation passes test/server/store/tables/audit-store.contract.ts.
 */
export interface AuditStore {
  /** Of one account, the newest first. */
  list(accountId: string, query: AuditListQuery): Promise<AuditPage>;
  /** Forgets entries that were written before `time`. */
  prune(time: number): Promise<void>;
}

import type { RefusalListQuery } from '../../src/wire/management/refusal.js';
import type { StoredRefusal, TimedRefusal } from './refusal.js';

/** How long refusals are kept, and how many of an account: the newest. */
export const REFUSAL_RETENTION_MS = 30 * 24 * 3_600_000;
export const MAX_REFUSALS_PER_ACCOUNT = 10_000;

export interface RefusalPage {
  readonly refusals: readonly StoredRefusal[];
  /** Of all pages together. */
  readonly total: number;
}

/** Every implementation passes test/server/store/tables/refusal-store.contract.ts. */
export interface RefusalStore {
  /**
   * Keeps them all, or on an error none. Those that name no account of this server are the only account's, where there
   * is but one. Of several accounts none may read them: they are for the operator.
   */
  add(refusals: readonly TimedRefusal[]): Promise<void>;
  /** Of one account, the newest first. */
  list(accountId: string, query: RefusalListQuery): Promise<RefusalPage>;
  /** Those that are no account's, the newest first. */
  listUnknown(query: RefusalListQuery): Promise<RefusalPage>;
  /** Forgets what came before `time`, and of each account and of those without one all but the newest `most`. */
  prune(time: number, most: number): Promise<void>;
}

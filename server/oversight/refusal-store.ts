import type { RefusalListQuery } from '../../src/wire/refusal.js';
import type { KeptRefusal, TimedRefusal } from './refusal.js';

/** How long refusals are kept, and how many of an account: the newest. */
export const REFUSALS_KEPT_MS = 30 * 24 * 3_600_000;
export const REFUSALS_KEPT = 10_000;

export interface RefusalPage {
  readonly refusals: readonly KeptRefusal[];
  /** Of all pages together. */
  readonly total: number;
}

/** Every implementation passes test/server/store/refusal-store.contract.ts. */
export interface RefusalStore {
  /**
   * Keeps them all, or on an error none. Those of accounts that do not exist are left out: nobody could read them.
   * Those that name no account are the only account's, where there is but one.
   */
  add(refusals: readonly TimedRefusal[]): Promise<void>;
  /** Of one account, the newest first. */
  list(accountId: string, query: RefusalListQuery): Promise<RefusalPage>;
  /** Forgets what came before `time`, and of each account all but the newest `most`. */
  prune(time: number, most: number): Promise<void>;
}

import type { RefusalListQuery } from '../../src/wire/management/refusal.js';
import type { StoredRefusal, TimedRefusal } from './refusal.js';

/** How long refusals are kept, and how many of each account: the newest. */
export const REFUSAL_RETENTION_MS = 30 * 24 * 3_600_000;
export const MAX_REFUSALS_PER_ACCOUNT = 10_000;

export interface RefusalPage {
  readonly refusals: readonly StoredRefusal[];
  /** The number of refusals on all pages. */
  readonly total: number;
}

/** Refusals of the same kind, for the same reason, with the same token and from the same origin. */
export interface RefusalGroup extends Pick<StoredRefusal, 'kind' | 'reason' | 'tokenId' | 'origin'> {
  readonly refusals: number;
  /** Milliseconds since 1970, as `lastOn`. */
  readonly firstOn: number;
  readonly lastOn: number;
}

export interface RefusalGroupPage {
  readonly groups: readonly RefusalGroup[];
  /** The number of groups on all pages. */
  readonly total: number;
}

/** Every implementation passes test/server/store/tables/refusal-store.contract.ts. */
export interface RefusalStore {
  /**
   * Stores all refusals, or none if it fails. A refusal that names no account of this server belongs to the only
   * account, if there is exactly one. With several accounts, only the operator may read it.
   */
  add(refusals: readonly TimedRefusal[]): Promise<void>;
  /** The refusals of one account, the newest first. */
  list(accountId: string, query: RefusalListQuery): Promise<RefusalPage>;
  /** The refusals of one account in groups, the largest first. Of groups of one size, the one with the newest refusal. */
  groups(accountId: string, query: RefusalListQuery): Promise<RefusalGroupPage>;
  /** The refusals that belong to no account, the newest first. */
  listUnknown(query: RefusalListQuery): Promise<RefusalPage>;
  /** Deletes refusals from before `time`, and all but the newest `most` of each account and of those without one. */
  prune(time: number, most: number): Promise<void>;
}

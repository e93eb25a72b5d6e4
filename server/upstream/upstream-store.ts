import type { StoredUpstream, Upstream, UpstreamFields } from './upstream.js';

export interface UpstreamKey {
  readonly accountId: string;
  readonly streamName: string | null;
}

/**
 * Stores the upstreams of accounts. Each change is written to the audit log in the same transaction.
 *
 * Every implementation passes test/server/store/tables/upstream-store.contract.ts.
 */
export interface UpstreamStore {
  /** Of all accounts. */
  all(): Promise<readonly StoredUpstream[]>;
  /** Of an account, in the order of the stream names, that of all streams first. */
  list(accountId: string): Promise<readonly StoredUpstream[]>;
  /**
   * Adds or replaces the upstream with this key. The account must exist.
   * @param decide what it is afterwards, from what it is before; undefined: there is none, or it cannot be read
   */
  set(
    key: UpstreamKey,
    decide: (before: Upstream | undefined) => UpstreamFields,
    now: number,
  ): Promise<Upstream | 'full'>;
  /** @returns false if there is none */
  remove(key: UpstreamKey, now: number): Promise<boolean>;
}

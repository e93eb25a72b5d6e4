/**
 * Keeps the hash of each account's API secret, one at most. The account must exist. Each change is in the audit log
 * with it (server/oversight/audit-store.ts).
 *
 * Every implementation passes test/server/store/tables/api-secret-store.contract.ts.
 */
export interface ApiSecretStore {
  /** False when the account has one: of two who add at once, one does. */
  add(accountId: string, hash: string, createdOn: number): Promise<boolean>;
  /** False when the account has none. */
  replace(accountId: string, hash: string, createdOn: number): Promise<boolean>;
  /** False when the account has none. `now` is for the audit log. */
  remove(accountId: string, now: number): Promise<boolean>;
  findAccount(hash: string): Promise<string | undefined>;
}

/** The hash of a login code or a session, with the account that it opens. */
export interface HashedCredential {
  readonly hash: string;
  readonly accountId: string;
  /** Milliseconds since 1970. */
  readonly expiresOn: number;
}

/**
 * Stores one-time login codes and sessions as hashes. One that has expired at `now` counts as missing. Each change is
 * written to the audit log in the same transaction (server/oversight/audit-store.ts).
 *
 * Every implementation passes test/server/store/tables/dashboard-login-store.contract.ts.
 */
export interface DashboardLoginStore {
  addCode(code: HashedCredential, now: number): Promise<void>;
  /**
   * Exchanges a code for a session, in one step: of two clients that present the same code at once, one gets a session.
   * @returns the account; undefined, and no session, if the code is unknown, spent or expired
   */
  spendCode(codeHash: string, session: Omit<HashedCredential, 'accountId'>, now: number): Promise<string | undefined>;
  findSession(hash: string, now: number): Promise<string | undefined>;
  removeSession(hash: string, now: number): Promise<void>;
}

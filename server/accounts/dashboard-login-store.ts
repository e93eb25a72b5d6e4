/** A hash that stands for an account until a time, in milliseconds since 1970. */
export interface HashedCredential {
  readonly hash: string;
  readonly accountId: string;
  readonly expiresOn: number;
}

/**
 * Keeps one-time codes and sessions, as hashes. What has run out at `now` is as good as gone.
 * Each change is in the audit log with it (server/oversight/audit-store.ts).
 *
 * Every implementation passes test/server/store/tables/dashboard-login-store.contract.ts.
 */
export interface DashboardLoginStore {
  addCode(code: HashedCredential, now: number): Promise<void>;
  /**
   * Trades a code for a session, in one step: of two who bring the same code at once, one gets in.
   * @returns the account, or undefined when the code is unknown, spent or has run out; there is no session then
   */
  spendCode(codeHash: string, session: Omit<HashedCredential, 'accountId'>, now: number): Promise<string | undefined>;
  findSession(hash: string, now: number): Promise<string | undefined>;
  removeSession(hash: string, now: number): Promise<void>;
}

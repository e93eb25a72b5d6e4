import type { MemberRole } from '../../src/wire/management/member.js';
import type { AccountMember } from './member.js';

/** A session that was not used for so long has ended. */
export const SESSION_IDLE_MS = 7 * 24 * 3_600_000;

/** The hash of a login code or a session, with the account that it opens. */
export interface HashedCredential {
  readonly hash: string;
  readonly accountId: string;
  /** Milliseconds since 1970. */
  readonly expiresOn: number;
}

/** Who is logged in. */
export interface LoggedIn {
  readonly accountId: string;
  /** `operator`: the login began with a link of the operator, and has the rights of an owner. */
  readonly who: 'operator' | (Pick<AccountMember, 'id' | 'name'> & { readonly role: MemberRole });
}

/** A session that begins, with what is known of the browser. */
export interface NewLogin {
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly expiresOn: number;
  /** In the form of `bindingAddress`. */
  readonly address: string;
  /** The header User-Agent. Null: the client sent none. */
  readonly userAgent: string | null;
}

/** A browser that is logged in. Times are milliseconds since 1970. */
export interface StoredLogin {
  /** As `secretId('ses', hash)`. */
  readonly id: string;
  /** Null: it began before the server recorded this. */
  readonly createdOn: number | null;
  readonly lastSeenOn: number | null;
  readonly lastSeenFrom: string | null;
  readonly userAgent: string | null;
  /** When it ends if it is not used again. */
  readonly expiresOn: number;
  /** Null: a link of the operator. */
  readonly memberName: string | null;
}

/**
 * Stores one-time login codes and sessions as hashes. One that has expired at `now` counts as missing, and so does a
 * session that was not used for `SESSION_IDLE_MS`. Each change is written to the audit log in the same transaction
 * (server/oversight/audit-store.ts).
 *
 * Every implementation passes test/server/store/tables/dashboard-login-store.contract.ts.
 */
export interface DashboardLoginStore {
  addCode(code: HashedCredential, now: number): Promise<void>;
  /**
   * Exchanges a code for a session, in one step: of two clients that present the same code at once, one gets a session.
   * @returns who is logged in; undefined, and no session, if the code is unknown, spent or expired
   */
  spendCode(codeHash: string, session: NewLogin, now: number): Promise<LoggedIn | undefined>;
  /** @returns undefined also for the session of a member who is not there, or whose role cannot be read */
  findSession(hash: string, now: number): Promise<LoggedIn | undefined>;
  removeSession(hash: string, now: number): Promise<void>;
  /** Written at most once a minute for each session. */
  recordUse(hash: string, time: number, from: string): Promise<void>;
  /** The sessions of an account, the last seen first. */
  list(accountId: string, now: number): Promise<readonly StoredLogin[]>;
  /** Ends one session of the account. @returns false if it has none with this id */
  end(accountId: string, id: string, now: number): Promise<boolean>;
  /** Ends every session of the account but this one. @returns how many */
  endOthers(accountId: string, except: string | undefined, now: number): Promise<number>;
}

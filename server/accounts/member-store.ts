import type { MemberRole } from '../../src/wire/management/member.js';
import type { AccountMember, SeenMember } from './member.js';

/** The hash of a login link for a member. */
export interface MemberCode {
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly expiresOn: number;
}

/** A member who is being added. */
export interface NewMember extends AccountMember {
  readonly role: MemberRole;
}

/** Absent fields stay as they are. */
export interface MemberChange {
  readonly name?: AccountMember['name'] | undefined;
  readonly role?: NewMember['role'] | undefined;
}

/**
 * Stores the members of accounts. Each change is written to the audit log in the same transaction.
 *
 * Every implementation passes test/server/store/tables/member-store.contract.ts.
 */
export interface MemberStore {
  /** Adds a member with a login link. */
  add(member: NewMember, code: MemberCode): Promise<void>;
  /** Adds a login link. Those from before, which were not opened, stop working. Undefined: there is no such member. */
  addCode(accountId: string, id: string, code: MemberCode, now: number): Promise<SeenMember | undefined>;
  /**
   * Adds a member whose login began with a link of the operator: from now on the login is theirs.
   * @returns false, and adds nobody, if there is no such login, or it is a member's
   */
  adopt(member: NewMember, sessionHash: string): Promise<boolean>;
  /** The oldest first. */
  list(accountId: string, now: number): Promise<readonly SeenMember[]>;
  /** Undefined: there is no such member. */
  update(accountId: string, id: string, change: MemberChange, now: number): Promise<SeenMember | undefined>;
  /** Removes the member, their login links and logins. @returns false if there is no such member */
  remove(accountId: string, id: string, now: number): Promise<boolean>;
}

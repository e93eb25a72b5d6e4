import type { MemberRole } from '../../src/wire/management/member.js';

/** A person who may log in to the dashboard of an account. */
export interface AccountMember {
  /** `mem_` and 12 hex digits. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Null: it cannot be read, and permits nothing. */
  readonly role: MemberRole | null;
  /** Milliseconds since 1970. */
  readonly createdOn: number;
}

/** A member, with the last use of their browsers that are logged in. */
export interface SeenMember extends AccountMember {
  /** Milliseconds since 1970. Null: no browser is logged in. */
  readonly lastSeenOn: number | null;
  /** How many passkeys they can sign in with. */
  readonly passkeys: number;
  readonly hasPassword: boolean;
}

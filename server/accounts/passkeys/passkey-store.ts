import type { LoggedIn, NewLogin } from '../dashboard-login-store.js';
import type { CheckedChallenge } from './passkey-challenges.js';
import type { Passkey } from './passkey.js';

/** A passkey by its member: nobody reaches those of others. */
export interface PasskeySubject {
  readonly memberId: string;
  readonly id: string;
}

/** A use of a passkey whose signature is right. */
export interface PasskeyUse {
  readonly credentialId: string;
  /** The counter that the authenticator signed. */
  readonly counter: number;
  readonly challenge: CheckedChallenge;
}

/**
 * Stores the passkeys of members, and which challenges were used. Each change is written to the audit log in the same
 * transaction.
 *
 * Every implementation passes test/server/store/tables/passkey-store.contract.ts.
 */
export interface PasskeyStore {
  /**
   * `exists`: somebody has this credential already. `full`: the member has as many as they can have. `gone`: there is
   * no such member.
   */
  add(
    passkey: Passkey,
    challenge: CheckedChallenge,
    now: number,
  ): Promise<'added' | 'challenge_used' | 'exists' | 'full' | 'gone'>;
  /** The oldest first. */
  list(memberId: string): Promise<readonly Passkey[]>;
  findByCredential(credentialId: string): Promise<Passkey | undefined>;
  /** Undefined: the member has no such passkey. */
  rename(subject: PasskeySubject, name: string, now: number): Promise<Passkey | undefined>;
  /** @returns false if the member has no such passkey */
  remove(subject: PasskeySubject, now: number): Promise<boolean>;
  /** Removes all passkeys and the password of a member, and logs them out everywhere. @returns false if there is no such member */
  reset(member: { readonly accountId: string; readonly id: string }, now: number): Promise<boolean>;
  /**
   * Begins a session of the member, in one step with the use of the challenge. `passkey_wrong`: the counter did not
   * grow, so there may be a copy of the authenticator.
   */
  signIn(
    use: PasskeyUse,
    session: NewLogin,
    now: number,
  ): Promise<LoggedIn | 'challenge_used' | 'passkey_wrong' | 'gone'>;
}

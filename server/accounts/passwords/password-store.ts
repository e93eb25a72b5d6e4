import type { LoggedIn, NewLogin } from '../dashboard-login-store.js';

/** The password of a member, with the secret of their authenticator app. */
export interface StoredPassword {
  readonly memberId: string;
  readonly accountId: string;
  /** In canonical form. */
  readonly loginName: string;
  /** See password-hash.ts. */
  readonly hash: string;
  /** See value-seal.ts. */
  readonly codeSecretSealed: string;
  /** The time step of the last code that was used. No code works twice. */
  readonly lastStep: number;
  /** Milliseconds since 1970. */
  readonly createdOn: number;
  /** Null: it was not used yet. */
  readonly lastUsedOn: number | null;
  /** Where the member logged in from; see known-networks.ts. */
  readonly knownNetworks: readonly string[];
}

/**
 * Stores the passwords of members. Each change is written to the audit log in the same transaction.
 *
 * Every implementation passes test/server/store/tables/password-store.contract.ts.
 */
export interface PasswordStore {
  /** Sets or replaces the password of a member. `name_taken`: by another member of any account. */
  set(password: StoredPassword, now: number): Promise<'set' | 'name_taken' | 'gone'>;
  find(memberId: string): Promise<StoredPassword | undefined>;
  findByName(loginName: string): Promise<StoredPassword | undefined>;
  /** @returns false if the member has none */
  remove(memberId: string, now: number): Promise<boolean>;
  /**
   * Begins a session of the member, in one step with the use of the code of this time step. The network of
   * `loginNetwork` is known from then on.
   * @returns undefined: the code was used already, or the password was removed or replaced
   */
  signIn(
    use: { readonly password: StoredPassword; readonly step: number; readonly network: string | undefined },
    session: NewLogin,
    now: number,
  ): Promise<LoggedIn | undefined>;
}

/** What the encrypted secret of the codes of a member is bound to. */
export const codeContext = (memberId: string): string => `code secret ${memberId}`;

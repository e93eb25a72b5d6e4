/** What is known of an attempt to log in with a password, after all of it was checked. */
export type PasswordAttempt =
  /** No member has this login name. */
  | { readonly name: 'unknown' }
  | {
      readonly name: 'known';
      readonly isPasswordRight: boolean;
      /** The time step of the code. Undefined: the code is wrong. */
      readonly step: number | undefined;
      /** The time step of the last code that was used. */
      readonly lastStep: number;
    };

export type PasswordVerdict = { readonly name: 'refused' } | { readonly name: 'accepted'; readonly step: number };

/** A name, its password and a code that was not used: only all of them together log in. */
export function judgePassword(attempt: PasswordAttempt): PasswordVerdict {
  if (attempt.name === 'unknown') return { name: 'refused' };
  const { isPasswordRight, step, lastStep } = attempt;
  return isPasswordRight && step !== undefined && step > lastStep ? { name: 'accepted', step } : { name: 'refused' };
}

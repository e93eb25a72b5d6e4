import type { DelayRule } from './attempt-delay.js';

/** Whose attempts are counted together. */
export interface AttemptSubject {
  readonly key: string;
  readonly rule: DelayRule;
}

/**
 * Counts failed attempts to log in, for all servers on the database.
 *
 * Every implementation passes test/server/store/tables/attempt-store.contract.ts.
 */
export interface AttemptStore {
  /**
   * Counts an attempt of each subject as failed, in one step.
   * @returns until when they must wait; then nothing was counted. Undefined: they may try.
   */
  begin(subjects: readonly AttemptSubject[], now: number): Promise<number | undefined>;
  /** The attempt did not fail. @param forget what is known of this subject; of the others, one failure is taken back */
  succeed(subjects: readonly AttemptSubject[], forget: AttemptSubject): Promise<void>;
}

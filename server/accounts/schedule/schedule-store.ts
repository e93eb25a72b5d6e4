import type { ScheduleQuery } from '../../../src/wire/management/schedule.js';
import type { ScheduledFields, ScheduledStream } from './scheduled-stream.js';

export interface SchedulePage {
  readonly streams: readonly ScheduledStream[];
  /** The number of scheduled streams on all pages. */
  readonly total: number;
}

/**
 * Stores the scheduled streams of accounts. Each change is written to the audit log in the same transaction.
 *
 * Every implementation passes test/server/store/tables/schedule-store.contract.ts.
 */
export interface ScheduleStore {
  /** The account must exist. `full`: it has as many as it may have. Two at once never both take the last place. */
  add(stream: ScheduledStream): Promise<'added' | 'full'>;
  /**
   * Replaces the fields of a scheduled stream by what `decide` makes of them, in one step. Nothing is written if
   * `decide` changes nothing, or throws: then `change` rejects with that error.
   * @returns the scheduled stream after the change; undefined if the account has none with this id
   */
  change(
    subject: { readonly accountId: string; readonly id: string },
    decide: (stream: ScheduledFields) => ScheduledFields,
    now: number,
  ): Promise<ScheduledStream | undefined>;
  /** @returns false if the account has none with this id */
  remove(accountId: string, id: string, now: number): Promise<boolean>;
  /** Of whichever account. */
  find(id: string): Promise<ScheduledStream | undefined>;
  /** What is to come, the next one first, then what is over, the last one first. */
  list(accountId: string, query: ScheduleQuery, now: number): Promise<SchedulePage>;
}

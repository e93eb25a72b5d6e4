// Generated from en.json by `npm run generate`. Do not edit.
import type { ScheduledState } from '../../../../wire/scheduled-stream.js';
import type { ScheduleField } from '../schedule-draft.js';

/** The texts of the page of scheduled streams. `title` is that of a scheduled stream. */
export interface ScheduleMessages {
  readonly schedule: string;
  readonly purpose: string;
  /** The list is empty. */
  readonly none: string;
  readonly newStream: string;
  readonly upcoming: string;
  readonly past: string;
  /** By the `state` of the API. */
  readonly states: Readonly<Record<ScheduledState, string>>;
  readonly title: string;
  readonly streamNameHint: string;
  readonly start: string;
  readonly end: string;
  readonly endHint: string;
  /** @param name of the person's time zone */
  readonly zone: (name: string) => string;
  readonly description: string;
  readonly descriptionHint: string;
  /** Why a field cannot be saved. */
  readonly faults: Readonly<Record<ScheduleField, string>>;
  readonly create: string;
  readonly save: string;
  readonly saved: (title: string) => string;
  readonly continued: string;
  readonly edit: string;
  readonly editThis: (title: string) => string;
  readonly link: string;
  readonly linkOf: (title: string) => string;
  readonly linkEffect: string;
  readonly token: string;
  readonly noToken: string;
  readonly tokenEffect: string;
  /** In its place: the stream is private, and no token is chosen. */
  readonly tokenMissing: string;
  /** There is no subscribe token for the stream. */
  readonly noTokens: string;
  readonly open: string;
  readonly openThis: (title: string) => string;
  readonly calendar: string;
  readonly calendarOf: (title: string) => string;
  readonly delete: string;
  readonly deleteThis: (title: string) => string;
  readonly deleteQuestion: (title: string) => string;
  readonly deleteEffect: string;
  readonly deleted: (title: string) => string;
  readonly previous: string;
  readonly next: string;
}

// Generated from en.json by `npm run generate`. Do not edit.
import type { CountdownParts } from '../countdown.js';
import type { Landmark } from '../countdown.js';

/** The texts of the page of a scheduled stream. Times arrive formatted for the language. */
export interface ScheduledPageMessages {
  readonly loading: string;
  /** The server cannot be asked. */
  readonly lost: string;
  readonly missing: {
    readonly title: string;
    readonly next: string;
  };
  /** The name of the countdown. */
  readonly timeLeft: string;
  readonly units: Readonly<Record<keyof CountdownParts, (count: number, shownCount: string) => string>>;
  readonly becomesPlayer: string;
  readonly timeZone: (name: string) => string;
  readonly addToCalendar: string;
  readonly landmarks: Readonly<Record<Landmark, string>>;
  readonly begun: string;
  /** The start has passed. */
  readonly starting: string;
  /** The broadcast stopped before its end. */
  readonly paused: string;
  readonly over: string;
}

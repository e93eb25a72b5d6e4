import type { SessionEventName } from '../../src/wire/management/session.js';

export interface SessionTimelineEvent {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly name: SessionEventName;
}

/** What happened in a session, of bounded size: the first events show how it began, the last ones how it ended. */
export interface SessionTimeline {
  readonly events: readonly SessionTimelineEvent[];
  /** The number of events that were removed between the first and the last ones. */
  readonly leftOut: number;
}

export const FIRST_EVENTS_KEPT = 20;
export const LAST_EVENTS_KEPT = 40;

export const EMPTY_TIMELINE: SessionTimeline = Object.freeze({ events: [], leftOut: 0 });

/** The timeline with one more event. */
export function withEvent({ events, leftOut }: SessionTimeline, event: SessionTimelineEvent): SessionTimeline {
  if (events.length < FIRST_EVENTS_KEPT + LAST_EVENTS_KEPT) return { events: [...events, event], leftOut };
  return { events: [...events.toSpliced(FIRST_EVENTS_KEPT, 1), event], leftOut: leftOut + 1 };
}

/** The event object of an event's handler. Events of the video are dispatched on the tag as plain events. */
export type EventOf<Name> = Name extends keyof HTMLElementEventMap & `stream-${string}`
  ? HTMLElementEventMap[Name]
  : Event;

/** What a handler of an event is given. The events of a video are sent again as plain ones. */
export type EventOf<Name> = Name extends keyof HTMLElementEventMap &
  (`stream-${string}` | 'capture-error' | 'viewer-count')
  ? HTMLElementEventMap[Name]
  : Event;

/** Those of our own that both tags send. */
type StreamEvent = 'stream-live' | 'stream-ended' | 'stream-rejected' | 'stream-error' | 'viewer-count';

/** Those of a `<video>` that the viewer repeats. */
type VideoEvent =
  | 'play'
  | 'pause'
  | 'playing'
  | 'waiting'
  | 'stalled'
  | 'progress'
  | 'timeupdate'
  | 'volumechange'
  | 'ratechange'
  | 'resize'
  | 'durationchange'
  | 'loadstart'
  | 'loadedmetadata'
  | 'loadeddata'
  | 'canplay'
  | 'canplaythrough'
  | 'emptied'
  | 'error'
  | 'enterpictureinpicture'
  | 'leavepictureinpicture';

/** The events of `<stream-viewer>`, by name. */
export type ViewerEvent = StreamEvent | 'stream-waiting' | VideoEvent;

/** The events of `<stream-broadcaster>`, by name. */
export type BroadcasterEvent = StreamEvent | 'capture-error';

/** What a handler of an event is given. Those of a video are repeated as plain ones. */
export type EventOf<Name> = Name extends StreamEvent | 'stream-waiting' | 'capture-error'
  ? HTMLElementEventMap[Name]
  : Event;

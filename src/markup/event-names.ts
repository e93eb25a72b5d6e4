// Generated from the classes of the tags by `npm run generate`. Do not edit.

/** The events of `<stream-broadcaster>`, by name. */
export type StreamBroadcasterEventName =
  | 'stream-phase-change'
  | 'stream-live'
  | 'stream-ended'
  | 'stream-rejected'
  | 'stream-error'
  | 'stream-capture-error'
  | 'stream-viewer-count'
  | 'stream-microphone-change'
  | 'stream-camera-change'
  | 'stream-screen-change'
  | 'stream-devices-change'
  | 'stream-settings-change';

/** The events of `<stream-viewer>`, by name. */
export type StreamViewerEventName =
  | 'stream-phase-change'
  | 'stream-live'
  | 'stream-ended'
  | 'stream-waiting'
  | 'stream-rejected'
  | 'stream-error'
  | 'stream-viewer-count'
  | 'stream-sources-change'
  | 'stream-layers-change'
  | 'play'
  | 'pause'
  | 'ended'
  | 'error'
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
  | 'enterpictureinpicture'
  | 'leavepictureinpicture';
